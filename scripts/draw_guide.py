#!/usr/bin/env python3
"""Draws docs/img/guide/*.svg, the pictures of docs/pooling.md. All numbers come from the library, through the program tidepool_windows.

    ./dev docs                        builds that program and runs this
    scripts/draw_guide.py --out DIR   into another folder
"""

import argparse
import sys
from pathlib import Path

from draw_windows import CELL, PROGRAM, ROOT, TOP, Drawing, Grid, Line, ask, plain, pooled, text_of

PLANE = [1, 3, 2, 1, 4, 2, 1, 0, 5, 6, 1, 2, 7, 8, 3, 4]


class Row(Grid):
    """One axis as a row of cells. Its windows are bars below the cells, on as many levels as they need."""

    STEP = 11

    def __init__(self, drawing, x, y, axis, values):
        super().__init__(drawing, x, y, plain(1), axis, values)
        self.axis = axis
        self.squares()
        self.numbers()
        ends = []  # of the last window on each level
        for i, (start, end) in enumerate(axis.windows):
            level = next((n for n, last in enumerate(ends) if last <= start), len(ends))
            ends[level:level + 1] = [end]
            drawing.outline(i % 6, self.x + start * CELL + 3, self.bottom + 6 + level * self.STEP, (end - start) * CELL - 6, 6, 3)
        self.under_windows = self.bottom + 6 + len(ends) * self.STEP
        drawing.reach(0, self.under_windows)


def reads(axis):
    """How many windows read each cell."""
    return [sum(w["begin"] <= i < w["begin"] + w["count"] for w in axis["windows"]) for i in range(axis["input"])]


def shades(d, x, y, size, plane, words):
    """A plane of numbers from 0 to 9 as a picture, without numbers: 0 is black."""
    count = round(len(plane) ** 0.5)
    for value in sorted(set(plane)):
        grey = 28 + round(value * 24)
        places = [divmod(i, count) for i, other in enumerate(plane) if other == value]
        squares = "".join(f"M{x + column * size} {y + row * size}h{size}v{size}h-{size}z" for row, column in places)
        d.add(f'<path fill="rgb({grey},{grey},{grey})" d="{squares}"/>')
    d.text(x + count * size / 2, y + count * size + 19, words, "s")
    d.reach(x + count * size, y + count * size + 22)


def window(run):
    d = Drawing("A 2×2 window on a 4×4 plane", "kernel 2 · stride 2: each window becomes one cell of the same colour",
                "Four windows of a plane, their maxima and their averages.")
    largest = run("max2d fwd f32 nchw 1x1x4x4 k2 s2 idx=plane", PLANE)
    average = run("avg2d fwd f32 nchw 1x1x4x4 k2 s2", PLANE)
    grid, maxima = pooled(d, largest, [(0, 0), (0, 1), (1, 0), (1, 1)])
    grid.numbers(lambda i: "b" if i in largest["indices"] else "")
    averages = Grid(d, maxima.right + 56, maxima.top, plain(2), plain(2), average["output"])
    averages.squares()
    for i in range(4):
        d.mark(i, *averages.at(*divmod(i, 2)))
    averages.numbers(lambda i: "b")
    grid.under("input")
    maxima.under("maximum")
    averages.under("average")
    return d


def max_or_avg(run):
    stroke = {(1, column) for column in range(2, 10)} | {(2, 9), (3, 8), (4, 8), (5, 7), (6, 7), (7, 6), (8, 6), (9, 5), (10, 5)}
    bright = [9 if divmod(i, 12) in stroke else 1 for i in range(144)]
    dark = [10 - value for value in bright]
    d = Drawing("A thin stroke, pooled", "kernel 2 · stride 2: a maximum keeps what is bright, an average mixes",
                "A bright stroke on black grows under max pooling and fades under average pooling. "
                "A dark stroke on white is lost under max pooling.")
    for row, (plane, words) in enumerate([(bright, "bright on dark"), (dark, "dark on bright")]):
        y = TOP + row * 178
        shades(d, 24, y, 12, plane, words)
        shades(d, 24 + 192, y, 24, run("max2d fwd f32 nchw 1x1x12x12 k2 s2", plane)["output"], "maximum")
        shades(d, 24 + 384, y, 24, run("avg2d fwd f32 nchw 1x1x12x12 k2 s2", plane)["output"], "average")
    return d


def overlap(run):
    d = Drawing("Kernel and stride along nine cells", "a bar is a window · the number in a cell is how many windows read it",
                "Windows of three cells that touch, that overlap by one and by two cells, and windows of one cell with gaps.")
    y = TOP
    for kernel, stride, words in [(3, 3, "windows touch"), (3, 2, "neighbours share 1 cell"), (3, 1, "neighbours share 2 cells"),
                                  (1, 2, "every second cell is skipped")]:
        axis = run(f"sum1d fwd f32 ncl 1x1x9 k{kernel} s{stride}")["axes"][-1]
        row = Row(d, 24, y, Line(axis), reads(axis))
        d.text(row.right + 20, y + 17, f"kernel {kernel}, stride {stride}: {axis['output']} windows", "b l")
        d.text(row.right + 20, y + 35, words, "s l")
        d.reach(row.right + 20 + 240, 0)
        y = row.under_windows + 20
    return d


def padding(run):
    d = Drawing("Padding 1 around a plane of −36", "kernel 3 · stride 1 · padding 1: three of the sixteen windows",
                "Windows that reach into the padding: the maximum ignores it, an average counts it as zeros or leaves it out.")
    plane = [-36] * 16
    largest = run("max2d fwd f32 nchw 1x1x4x4 k3 s1 p1", plane)
    chosen = [(0, 0), (0, 2), (2, 1)]
    grid, out = pooled(d, largest, chosen)
    grid.numbers()
    grid.under("input and padding")
    out.under("maximum")
    for problem, words in [("avg2d fwd f32 nchw 1x1x4x4 k3 s1 p1", "average: padding counts"),
                           ("avg2d fwd f32 nchw 1x1x4x4 k3 s1 p1 div=valid", "average: padding does not")]:
        result = run(problem, plane)
        out = Grid(d, out.right + 34, out.top, plain(4), plain(4), result["output"])
        out.squares()
        for i, (row, column) in enumerate(chosen):
            d.mark(i, *out.at(row, column))
        out.numbers(lambda i: "b" if divmod(i, 4) in chosen else "")
        out.under(words)
    return d


def odd_sizes(run):
    d = Drawing("Seven cells", "a bar is a window · dashed: padding · hatched: beyond input and padding",
                "With windows of two cells the last of seven cells is lost. Five ways to keep it.")
    y = TOP
    for words, how, why in [("k2 s2", "kernel 2, stride 2", "no window reads cell 6"),
                            ("k2 s2 ceil", "ceil_mode", "one more window, with one cell in it"),
                            ("k2 s2 p1", "padding 1", "every window moves by one cell"),
                            ("k2 s2 p0:1", "padding 1 after", "the other windows stay where they are"),
                            ("k3 s2", "kernel 3, stride 2", "three windows that overlap"),
                            ("out=3", "adaptive to 3", "the same windows, from the sizes alone")]:
        axis = run(f"max1d fwd f32 ncl 1x1x7 {words}")["axes"][-1]
        row = Row(d, 24 + (0 if axis["padding"][0] else CELL), y, Line(axis), list(range(7)))
        lost = [i for i, count in enumerate(reads(axis)) if count == 0]
        for x, y_cell in (row.at(0, i) for i in lost):
            d.add(f'<path class="ar" d="M{x + 6} {y_cell + 6}l{CELL - 12} {CELL - 12}m0 -{CELL - 12}l-{CELL - 12} {CELL - 12}"/>')
        d.text(24 + 9 * CELL + 24, y + 17, how, "b l")
        d.text(24 + 9 * CELL + 24, y + 35, why, "s l")
        d.reach(24 + 9 * CELL + 24 + 250, 0)
        y = row.under_windows + 18
    return d


def gradient(run):
    d = Drawing("Where the gradient goes", "kernel 2 · stride 2 · the gradients 10, 20, 30, 40 arrive at the four outputs",
                "The gradient of a maximum goes to the cell that won, that of an average to all cells of the window in equal parts.")
    upstream = [10, 20, 30, 40]
    forward = run("max2d fwd f32 nchw 1x1x4x4 k2 s2 idx=plane", PLANE)
    # The windows do not overlap: the gradient of the maximum is the unpooled gradient, that of the average is divided by the cells.
    routed = run("unpool2d fwd f32 nchw 1x1x2x2 k2 s2 idx=plane", upstream, indices=forward["indices"])["output"]
    rows, columns = map(Line, forward["axes"])
    divided = [upstream[(i // 8) * 2 + i % 4 // 2] / (rows.counted[i // 8] * columns.counted[i % 4 // 2]) for i in range(16)]
    small = Grid(d, 24, TOP + CELL, plain(2), plain(2), upstream)
    grids = [small] + [Grid(d, small.right + 70 + n * (4 * CELL + 34), TOP, rows, columns, values)
                       for n, values in enumerate([PLANE, routed, divided])]
    for grid in grids:
        grid.squares()
    for i in range(4):
        d.mark(i, *small.at(*divmod(i, 2)))
        for grid in grids[1:]:
            grid.window(i, *divmod(i, 2), 2)
        for grid in grids[1:3]:
            d.mark(i, *grid.at(*divmod(forward["indices"][i], 4)))
        for cell in range(4):
            d.mark(i, *grids[3].at(i // 2 * 2 + cell // 2, i % 2 * 2 + cell % 2))
    small.numbers(lambda i: "b")
    grids[1].numbers(lambda i: "b" if i in forward["indices"] else "")
    grids[2].numbers(lambda i: "b" if i in forward["indices"] else "z")
    grids[3].numbers()
    d.arrow(small.right + 12, TOP + 2 * CELL, grids[1].left - 12, TOP + 2 * CELL)
    for grid, words in zip(grids, ["arrives", "input", "gradient of max", "gradient of average"]):
        grid.under(words)
    return d


def shift(run):
    d = Drawing("The same signal, moved by one cell", "kernel 2 · stride 2: neither the maxima nor the averages stay, or move along",
                "A signal of two pulses is pooled, then moved by one cell and pooled again. The results differ.")
    y = TOP
    for values, words in [([0, 0, 1, 1, 0, 0, 1, 1], "signal"), ([0, 0, 0, 1, 1, 0, 0, 1], "moved by one")]:
        largest = run("max1d fwd f32 ncl 1x1x8 k2 s2", values)
        average = run("avg1d fwd f32 ncl 1x1x8 k2 s2", values)
        row = Row(d, 24, y, Line(largest["axes"][-1]), values)
        d.text((row.left + row.right) / 2, row.under_windows + 14, words, "s")
        x = row.right + 62
        d.arrow(row.right + 12, y + CELL / 2, x - 12, y + CELL / 2)
        for result, name in [(largest, "maximum"), (average, "average")]:
            out = Grid(d, x, y, plain(1), plain(4), result["output"])
            out.squares()
            for i in range(4):
                d.mark(i, *out.at(0, i))
            out.numbers(lambda i: "b")
            out.under(name)
            x = out.right + 34
        y = row.under_windows + 36
    return d


def field(run):
    d = Drawing("What one cell sees", "3×3 convolution, 2×2 pool, 3×3 convolution, along one axis: the field is 8",
                "One cell sees three cells of the layer below, these see six, and these see eight cells of the input.")
    # From the top: the layer that is read, its windows, and the name of the reading layer. A convolution reads the windows of a pool.
    layers = ["1x1x6 k3 s1 p1", "1x1x12 k2 s2", "1x1x12 k3 s1 p1"]
    axes = [run(f"sum1d fwd f32 ncl {words}")["axes"][-1] for words in layers]
    pitch, height, gap = 42, 26, 52
    seen, top, previous = {2}, TOP, None
    for depth in range(len(layers) + 1):
        count = axes[depth]["output"] if depth < len(layers) else axes[-1]["input"]
        wide = 12 * pitch / count
        for i in range(count):
            x = 24 + i * wide
            d.add(f'<rect class="cell" x="{x + 2:g}" y="{top}" width="{wide - 4:g}" height="{height}" rx="4"/>')
        left, right = 24 + min(seen) * wide, 24 + (max(seen) + 1) * wide
        if previous:
            d.colours.add(depth - 1)
            (a, b), above = previous, top - gap
            corners = f"M{a + 2:g} {above + 4}L{b - 2:g} {above + 4}L{right - 2:g} {top - 4}L{left + 2:g} {top - 4}z"
            d.add(f'<path class="w c{depth - 1}" style="stroke:none" d="{corners}"/>')
        for i in seen:
            colour, x = max(0, depth - 1), 24 + i * wide
            d.colours.add(colour)
            d.add(f'<rect class="w c{colour}" x="{x + 2:g}" y="{top}" width="{wide - 4:g}" height="{height}" rx="4"/>')
        words = ["second convolution: 1 cell", "pool: {} cells", "first convolution: {} cells", "input: {} cells"][depth].format(len(seen))
        d.text(24 + 12 * pitch + 18, top + 18, words, "l")
        d.reach(24 + 12 * pitch + 18 + 180, top + height)
        if depth < len(layers):
            windows = axes[depth]["windows"]
            seen = {cell for i in seen for cell in range(windows[i]["begin"], windows[i]["begin"] + windows[i]["count"])}
            previous, top = (left, right), top + height + gap
    return d


DRAWINGS = [window, max_or_avg, overlap, padding, odd_sizes, gradient, shift, field]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=PROGRAM, help="tidepool_windows of a build [build/release/bin]")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "img" / "guide")
    args = parser.parse_args()
    if not args.program.exists():
        sys.exit("draw_guide: tidepool_windows is not built, ./dev docs builds it")
    args.out.mkdir(parents=True, exist_ok=True)
    run = lambda problem, values=None, **more: ask(args.program, problem, values, **more)
    for draw in DRAWINGS:
        (args.out / f"{draw.__name__}.svg").write_text(draw(run).svg(), encoding="utf-8")
    print(f"{len(DRAWINGS)} drawings")


if __name__ == "__main__":
    main()
