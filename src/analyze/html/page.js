// The behaviour of the page: tooltips, moving through the table by keyboard, sorting, filtering, and the field of the selected layer.
'use strict';
(() => {
  const find = (id) => document.getElementById(id);
  const data = JSON.parse(find('data').textContent);
  const body = document.querySelector('tbody');
  const rows = [...body.rows];
  const heads = [...document.querySelectorAll('thead th')];
  const narrow = matchMedia('(max-width: 860px)');

  const make = (tag, text, parent) => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    if (parent) parent.append(element);
    return element;
  };

  // Tooltips, for the mouse and for the keyboard. A finger selects instead.
  const tip = find('tip');
  let described = null;
  const hideTip = () => {
    tip.hidden = true;
    if (described) described.removeAttribute('aria-describedby');
    described = null;
  };
  const showTip = (element) => {
    if (element === described) return;
    hideTip();
    described = element;
    element.setAttribute('aria-describedby', 'tip');
    tip.textContent = element.dataset.tip;
    tip.hidden = false;
    const box = element.getBoundingClientRect(), size = tip.getBoundingClientRect();
    const below = box.bottom + 8 + size.height < innerHeight;
    const left = box.left + box.width / 2 - size.width / 2, most = document.documentElement.clientWidth - size.width - 12;
    tip.style.left = Math.max(12, Math.min(left, most)) + 'px';
    tip.style.top = Math.max(4, below ? box.bottom + 6 : box.top - size.height - 6) + 'px';
  };
  document.addEventListener('pointerover', (event) => {
    if (event.pointerType !== 'mouse') return;
    const element = event.target.closest('[data-tip]');
    if (element) showTip(element); else hideTip();
  });
  document.addEventListener('focusin', (event) => {
    if (event.target.matches('[data-tip]:focus-visible')) showTip(event.target); else hideTip();
  });
  document.addEventListener('focusout', hideTip);
  addEventListener('scroll', hideTip, {passive: true});

  // One stop of the tab key in the table; arrow keys move between its cells.
  document.querySelector('table').setAttribute('role', 'grid');
  for (const row of rows) row.cells[0].firstElementChild.tabIndex = -1;
  const stops = (row) => [row.cells[0].firstElementChild, ...[...row.cells].slice(1)].filter((stop) => stop.offsetParent !== null);
  let stop = null;
  const setStop = (element) => {
    if (stop) stop.tabIndex = -1;
    stop = element;
    stop.tabIndex = 0;
  };
  const shownRows = () => [...body.rows].filter((row) => !row.hidden);
  const resetStop = () => {
    const row = shownRows()[0];
    if (row && !(stop && stop.offsetParent !== null)) setStop(row.cells[0].firstElementChild);
  };
  body.addEventListener('keydown', (event) => {
    const row = event.target.closest('tr'), all = shownRows(), mine = stops(row);
    const at = all.indexOf(row), column = mine.indexOf(event.target.closest('td') || row.cells[0].firstElementChild);
    let to = null;
    if (event.key === 'ArrowDown') to = all[at + 1] && stops(all[at + 1])[column];
    else if (event.key === 'ArrowUp') to = all[at - 1] && stops(all[at - 1])[column];
    else if (event.key === 'ArrowRight') to = mine[column + 1];
    else if (event.key === 'ArrowLeft') to = mine[column - 1];
    else if (event.key === 'Home') to = event.ctrlKey ? stops(all[0])[0] : mine[0];
    else if (event.key === 'End') to = event.ctrlKey ? stops(all[all.length - 1])[0] : mine[mine.length - 1];
    else if (event.key === 'PageDown') to = stops(all[Math.min(at + 10, all.length - 1)])[column];
    else if (event.key === 'PageUp') to = stops(all[Math.max(at - 10, 0)])[column];
    else if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); open(row, true); return; }
    else return;
    event.preventDefault();
    if (!to) return;
    setStop(to);
    to.focus();
  });

  // The drawing of a plane, in cells of the input.
  const draw = (name, attributes, parent) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  };
  const rectangle = ([x, y, width, height]) => ({x, y, width, height});
  const gridPath = ([cols, rows]) => {
    let path = '';
    if (cols > 48 || rows > 48) return path;
    for (let x = 1; x < cols; ++x) path += `M${x} 0v${rows}`;
    for (let y = 1; y < rows; ++y) path += `M0 ${y}h${cols}`;
    return path;
  };
  const drawPlane = (plane, index) => {
    const figure = make('figure', '', find('planes'));
    const svg = draw('svg', {class: 'tp', width: plane.drawn[0], height: plane.drawn[1], viewBox: plane.view.join(' '),
      preserveAspectRatio: 'none', role: 'img', 'aria-label': `The field over ${plane.label}`}, figure);
    const [width, height] = plane.size;
    draw('rect', {class: 'tp-plane', width, height}, svg);
    if (data.picture) draw('image', {width, height, preserveAspectRatio: 'none', href: data.picture}, svg);
    draw('path', {class: 'tp-grid', d: gridPath(plane.size)}, svg);
    const group = draw('g', {class: 'tp-field tp-over'}, svg);
    plane.field.forEach((shape, i) => {
      const [d, clip] = [shape].flat();
      if (clip) draw('path', {d: clip}, draw('clipPath', {id: `cut-${index}-${i}`}, group));
      draw('path', clip ? {d, 'clip-path': `url(#cut-${index}-${i})`} : {d}, group);
    });
    draw('rect', {class: 'tp-reach', ...rectangle(plane.reach)}, svg);
    const [x, y, w, h] = plane.reach, leaves = x < 0 || y < 0 || x + w > width || y + h > height;
    const reach = height === 1 ? `${w}` : `${h} × ${w}`;
    const [left, top, wide, high] = plane.view, shown = x >= left && y >= top && x + w <= left + wide && y + h <= top + high;
    make('figcaption', `${plane.label}; ${shown ? 'dashed' : 'larger than the picture'}: ${reach}${leaves ? ', padding included' : ''}` +
      (plane.coarse ? `; holes of up to ${plane.coarse} cells are not drawn` : ''), figure);
  };
  const showCell = (cell) => {
    find('planes').replaceChildren();
    cell.planes.forEach(drawPlane);
    find('words').textContent = `It depends on ${cell.exact ? '' : 'at most '}${cell.words}.`;
  };

  // The panel of the selected layer.
  const panel = find('panel');
  let selected = null, chosen = 'middle';
  const cellName = {first: 'First cell', middle: 'Middle cell', last: 'Last cell', all: 'All cells'};
  const showField = (cells) => {
    const bar = find('cells');
    bar.replaceChildren();
    find('planes').replaceChildren();
    find('words').textContent = '';
    if (!cells) {
      if (!selected.classList.contains('unknown')) find('words').textContent = 'This page does not have the field of this layer.';
      return;
    }
    let first = null;
    for (const cell of cells) {
      const button = make('button', cellName[cell.name], bar);
      button.type = 'button';
      if (cell.at.length) make('small', cell.at.join(', '), button);
      const press = () => {
        for (const other of bar.children) other.setAttribute('aria-pressed', other === button);
        showCell(cell);
      };
      button.addEventListener('click', () => { chosen = cell.name; press(); });
      if (!first || cell.name === chosen) first = press;
    }
    first();
  };
  const showNumbers = (row) => {
    const list = find('numbers');
    list.replaceChildren();
    [...row.cells].slice(1).forEach((cell, i) => {
      const entry = make('div', '', list);
      make('dt', heads[i + 1].textContent, entry);
      make('dd', [...cell.childNodes].map((node) => node.textContent.trim()).filter(Boolean).join(' · '), entry);
      make('dd', cell.dataset.tip, entry);
    });
  };
  function open(row, focus) {
    if (selected) selected.classList.remove('selected'), selected.removeAttribute('aria-selected');
    selected = row;
    row.classList.add('selected');
    row.setAttribute('aria-selected', 'true');
    const title = row.cells[0];
    find('panel-name').textContent = title.firstElementChild.textContent;
    find('panel-text').textContent = [...title.children].slice(1).map((part) => part.textContent).join(' ');
    showField(data.fields[row.dataset.f]);
    showNumbers(row);
    panel.classList.add('open');
    panel.scrollTop = 0;
    if (focus && narrow.matches) find('panel-name').focus();
  }
  const close = () => {
    panel.classList.remove('open');
    if (panel.contains(document.activeElement) && selected) selected.cells[0].firstElementChild.focus();
  };
  find('close').addEventListener('click', close);
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    if (tip.hidden) close();
    hideTip();
  });
  body.addEventListener('click', (event) => {
    const row = event.target.closest('tr');
    if (!row || getSelection().toString()) return;
    event.preventDefault();
    setStop(row.cells[0].firstElementChild);
    open(row, false);
  });

  // Links of the chain and of the findings lead to rows.
  const follow = () => {
    const row = /^#l\d+$/.test(location.hash) ? find(location.hash.slice(1)) : null;
    if (!row) return false;
    row.hidden = false;
    setStop(row.cells[0].firstElementChild);
    open(row, false);
    return true;
  };
  addEventListener('hashchange', follow);

  // Filter and sorting.
  const filter = () => {
    const text = find('filter').value.trim().toLowerCase(), pointwise = find('pointwise').checked;
    for (const row of rows)
      row.hidden = (!pointwise && row.classList.contains('pointwise')) || !row.cells[0].textContent.toLowerCase().includes(text);
    const count = shownRows().length;
    find('count').textContent = count === rows.length ? `${count} layers` : `${count} of ${rows.length} layers`;
    resetStop();
  };
  find('filter').addEventListener('input', filter);
  find('pointwise').addEventListener('change', filter);
  heads.forEach((head, column) => head.firstElementChild.addEventListener('click', () => {
    const before = head.getAttribute('aria-sort');
    for (const other of heads) other.removeAttribute('aria-sort');
    // The first click brings the largest up; the third restores the order of execution.
    const next = column === 0 ? {descending: ''} : {descending: 'ascending', ascending: ''};
    const order = next[before] ?? 'descending';
    const sorted = [...rows];
    const value = (row) => Number(row.cells[column].dataset.v ?? -1);
    if (order) {
      head.setAttribute('aria-sort', order);
      sorted.sort((a, b) => order === 'ascending' ? value(a) - value(b) : value(b) - value(a));
    }
    body.append(...sorted);
  }));

  filter();
  if (!follow()) {
    find('panel-text').textContent = 'Select a layer to see its field over the input.';
    // On a wide screen there is room for the last layer that still has a plane.
    const initial = rows.filter((row) => row.dataset.f && data.fields[row.dataset.f].length > 1).pop();
    if (initial && !narrow.matches) open(initial, false);
  }
})();
