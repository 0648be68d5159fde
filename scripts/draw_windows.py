#!/usr/bin/env python3
"""Draws docs/ops/img/*.svg: the windows of one small example per op. All numbers come from the library, through the program tidepool_windows.

    ./dev docs                          builds that program and runs this
    scripts/draw_windows.py --out DIR   into another folder
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "release" / "bin" / "tidepool_windows"

CELL = 36
TOP = 78  # y of the grids, below title and caption
STYLE = """
text{font:14px system-ui,"Segoe UI",Helvetica,Arial,sans-serif;fill:#1f2328;text-anchor:middle}
.b{font-weight:600}.l{text-anchor:start}.s{font-size:12px;fill:#59636e}.n{font-size:10px;fill:#59636e}.z{fill:#8c959f}
.h{font-size:16px;font-weight:600;text-anchor:start}
.card{fill:#fff;stroke:#d1d9e0}.cell{fill:#eef1f4;stroke:#afb8c1}.pad{fill:none;stroke:#afb8c1;stroke-dasharray:3 3}
.over{fill:url(#o);stroke:#d1d9e0}.hl{stroke:#afb8c1;stroke-width:1.5}.ar{fill:none;stroke:#59636e;stroke-width:1.5}.tip{fill:#59636e}
"""
DARK = """
text{fill:#e6edf3}.s,.n{fill:#9198a1}.z{fill:#7d8590}.card{fill:#0d1117;stroke:#3d444d}.cell{fill:#1c2128;stroke:#3d444d}
.pad{stroke:#656c76}.over{stroke:#3d444d}.hl{stroke:#656c76}.ar{stroke:#9198a1}.tip{fill:#9198a1}
"""
# Outline colours for light and dark mode, chosen to differ in hue and in lightness.
COLOURS = [("#0969da", "#58a6ff"), ("#cf222e", "#ff7b72"), ("#1a7f37", "#56d364"), ("#8250df", "#d2a8ff"), ("#bc4c00", "#ffa657"),
           ("#0a7ea4", "#76e3ea")]


def ask(program, problem, values=None, indices=None, seed=None):
    """The windows and results of a problem."""
    words = [str(program), problem]
    for name, numbers in (("--values", values), ("--indices", indices), ("--seed", None if seed is None else [seed])):
        if numbers is not None:
            words += [name, ",".join(f"{n:g}" for n in numbers)]
    return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)


def text_of(number):
    if number == int(number):
        return str(int(number)).replace("-", "−")
    return f"{number:.2f}".rstrip("0").replace("-", "−")


def num(value):
    return f"{value:.1f}".removesuffix(".0")


class Line:
    """One axis of a grid: its cells with padding and overhang (positions past the padding), and its windows as (start, end)."""

    def __init__(self, axis):
        self.length = axis["input"]
        self.low, self.padded = -axis["padding"][0], axis["input"] + axis["padding"][1]
        self.windows = [(w["start"], w["start"] + w["span"]) for w in axis["windows"]]
        self.high = max([self.padded] + [end for _, end in self.windows])
        self.counted = [w["padded_count"] for w in axis["windows"]]

    def kind(self, i):
        return "cell" if 0 <= i < self.length else "pad" if self.low <= i < self.padded else "over"


class Drawing:
    def __init__(self, title, caption, description):
        self.parts, self.title, self.caption, self.description = [], title, caption, description
        self.width = self.height = 0
        self.colours = set()

    def add(self, part):
        self.parts.append(part)

    def reach(self, x, y):
        self.width, self.height = max(self.width, x), max(self.height, y)

    def text(self, x, y, words, kind=""):
        self.add(f'<text{f" class={chr(34)}{kind}{chr(34)}" if kind else ""} x="{num(x)}" y="{num(y)}">{words}</text>')

    def cells(self, kind, places, size=CELL):
        """Draws all squares of one kind as one path. Squares of padding are smaller, so that their dashed borders do not overlap."""
        if kind == "pad":
            places, size = [(x + 2.5, y + 2.5) for x, y in places], size - 5
        if places:
            self.add(f'<path class="{kind}" d="' + "".join(f"M{num(x)} {num(y)}h{size}v{size}h-{size}z" for x, y in places) + '"/>')

    def outline(self, colour, x, y, w, h, radius=8):
        self.colours.add(colour)
        self.add(f'<rect class="w c{colour}" x="{num(x)}" y="{num(y)}" width="{num(w)}" height="{num(h)}" rx="{radius}"/>')

    def mark(self, colour, x, y):
        """Draws a coloured square behind a number."""
        self.colours.add(colour)
        self.add(f'<rect class="m c{colour}" x="{num(x + 3)}" y="{num(y + 3)}" width="{CELL - 6}" height="{CELL - 6}" rx="6"/>')

    def arrow(self, x1, y1, x2, y2, bend=0):
        """Draws an arrow from one point to another. `bend` moves its middle up."""
        mx, my = (x1 + x2) / 2, (y1 + y2) / 2 - bend
        self.add(f'<path class="ar" marker-end="url(#a)" d="M{num(x1)} {num(y1)}Q{num(mx)} {num(my)} {num(x2)} {num(y2)}"/>')

    def svg(self):
        # The width of text depends on the font; this leaves room for wide fonts.
        self.reach(24 + max(9.2 * len(self.title), 6.6 * len(self.caption)), 0)
        width, height = math.ceil(self.width) + 24, math.ceil(self.height) + 22
        style = STYLE + ".w{fill-opacity:.1;stroke-width:2.5}.m{fill-opacity:.28;stroke:none}\n"
        light = "".join(f".c{i}{{stroke:{COLOURS[i][0]};fill:{COLOURS[i][0]}}}" for i in sorted(self.colours))
        dark = "".join(f".c{i}{{stroke:{COLOURS[i][1]};fill:{COLOURS[i][1]}}}" for i in sorted(self.colours))
        style = style.replace(".m{", light + "\n.m{") + "@media(prefers-color-scheme:dark){" + DARK.strip() + dark + ".m{stroke:none}}\n"
        hatch = '<pattern id="o" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' \
                '<path class="hl" d="M0 0v6"/></pattern>'
        tip = '<marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">' \
              '<path class="tip" d="M0 0L8 4L0 8z"/></marker>'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
        lines = [head, f"<title>{self.title}</title><desc>{self.description}</desc>", f"<style>{style}</style>", f"<defs>{hatch}{tip}</defs>",
                 f'<rect class="card" x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="10"/>',
                 f'<text class="h" x="24" y="34">{self.title}</text>', f'<text class="s l" x="24" y="56">{self.caption}</text>']
        return "\n".join(lines + self.parts + ["</svg>", ""])


class Grid:
    """A plane of cells with padding and overhang around it. (x, y) is its upper left corner, padding included."""

    def __init__(self, drawing, x, y, rows, columns, values):
        self.d, self.rows, self.columns = drawing, rows, columns
        self.x, self.y = x - columns.low * CELL, y - rows.low * CELL
        self.left, self.right = x, self.x + columns.high * CELL
        self.top, self.bottom = y, self.y + rows.high * CELL
        self.values = values
        drawing.reach(self.right, self.bottom)

    def at(self, row, column):
        return self.x + column * CELL, self.y + row * CELL

    def middle(self, row, column):
        x, y = self.at(row, column)
        return x + CELL / 2, y + CELL / 2

    def squares(self):
        kinds = {"cell": [], "pad": [], "over": []}
        for r in range(self.rows.low, self.rows.high):
            for c in range(self.columns.low, self.columns.high):
                parts = {self.rows.kind(r), self.columns.kind(c)}
                kinds["over" if "over" in parts else "pad" if "pad" in parts else "cell"].append(self.at(r, c))
        for kind in ("pad", "over", "cell"):
            self.d.cells(kind, kinds[kind])

    def numbers(self, style=lambda i: ""):
        for i, value in enumerate(self.values):
            x, y = self.middle(*divmod(i, self.columns.length))
            self.d.text(x, y + 5, text_of(value), style(i))

    def window(self, colour, row, column, inset):
        (r0, r1), (c0, c1) = self.rows.windows[row], self.columns.windows[column]
        x, y = self.at(r0, c0)
        self.d.outline(colour, x + inset, y + inset, (c1 - c0) * CELL - 2 * inset, (r1 - r0) * CELL - 2 * inset)

    def under(self, words, row=0):
        self.d.text((self.left + self.right) / 2, self.bottom + 20 + 17 * row, words, "s")
        self.d.reach(0, self.bottom + 24 + 17 * row)


def plain(length):
    """An axis without padding and windows."""
    return Line({"input": length, "padding": [0, 0], "windows": []})


def pooled(d, plan, chosen, gap=70, numbers=True):
    """Draws the input with the chosen windows, an arrow, and the output in the same colours. Returns both grids."""
    rows, columns = map(Line, plan["axes"])
    grid = Grid(d, 24, TOP, rows, columns, plan["input"])
    heights, widths = len(rows.windows), len(columns.windows)
    middle = (grid.top + grid.bottom) / 2
    out = Grid(d, grid.right + gap, middle - heights * CELL / 2, plain(heights), plain(widths), plan["output"])
    grid.squares()
    out.squares()
    for i, (row, column) in enumerate(chosen):
        d.mark(i, *out.at(row, column))
    for i, (row, column) in enumerate(chosen):
        grid.window(i, row, column, 2 + i % 3 * 1.5)
    d.arrow(grid.right + 14, middle, out.left - 14, middle)
    if numbers:
        bold = {row * widths + column for row, column in chosen}
        out.numbers(lambda i: "b" if i in bold else "")
    return grid, out


def legend(d, x, y, kinds):
    for kind, words in kinds:
        d.cells(kind, [(x, y)], 14)
        d.text(x + 21, y + 11, words, "s l")
        x += 34 + 7 * len(words)
    d.reach(x, y + 14)


def max_pool(run):
    plan = run("max2d fwd f32 nchw 1x1x6x6 k3 s2 p1 ceil idx=plane",
               [3, 1, 4, 1, 5, 2, 9, 2, 6, 5, 3, 5, 0, 8, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 1, 7, 5, 0, 2, 8, 6, 1])
    d = Drawing("max_pool2d, 6×6 to 4×4", "kernel 3 · stride 2 · padding 1 · ceil_mode. Padding never wins.",
                "Three windows of a 6 by 6 plane and the cells that win: one reaches into the padding, one lies inside, one hangs over.")
    chosen = [(0, 0), (1, 2), (3, 3)]
    grid, out = pooled(d, plan, chosen)
    for i, (row, column) in enumerate(chosen):
        d.mark(i, *grid.at(*divmod(plan["indices"][row * 4 + column], 6)))
    winners = {plan["indices"][row * 4 + column] for row, column in chosen}
    grid.numbers(lambda i: "b" if i in winners else "")
    legend(d, 24, grid.bottom + 16, [("pad", "padding"), ("over", "overhang: beyond input and padding")])
    return d


def avg_pool(run):
    plan = run("avg2d fwd f32 nchw 1x1x4x4 k3 s2 p1 ceil", [36] * 16)
    d = Drawing("avg_pool2d, 4×4 to 3×3: who divides by what", "kernel 3 · stride 2 · padding 1 · ceil_mode · count_include_pad",
                "Windows of a plane of 36s, and what each sum is divided by: padding counts, overhang does not.")
    grid, out = pooled(d, plan, [(0, 0), (0, 2), (2, 2)], numbers=False)
    grid.numbers()
    rows, columns = map(Line, plan["axes"])
    for i, value in enumerate(plan["output"]):
        row, column = divmod(i, 3)
        x, y = out.middle(row, column)
        d.text(x, y + 1, text_of(value), "b")
        d.text(x, y + 12, f"÷ {rows.counted[row] * columns.counted[column]}", "n")
    legend(d, 24, grid.bottom + 16, [("pad", "padding: counts"), ("over", "overhang: does not")])
    return d


def adaptive_pool(run):
    plan = run("avg2d fwd f32 nchw 1x1x5x7 out=2x3", range(35))
    d = Drawing("adaptive_avg_pool2d, 5×7 to 2×3", "bin o of an axis covers floor(o·L/O) to ceil((o+1)·L/O): neighbours share cells",
                "Six bins of a 5 by 7 plane; each shares a row or column with its neighbours.")
    grid, _ = pooled(d, plan, [(r, c) for r in range(2) for c in range(3)])
    grid.numbers()
    return d


def lp_pool(run):
    values = [3, -4, 0, 0, 3, 0, 0, 0, 0, 4]
    torch, onnx = (run(f"lp2d fwd f32 nchw 1x1x2x5 k2 s2 ceil p=2{scaled}", values) for scaled in (" scaled", ""))
    d = Drawing("lp_pool2d, 2×5 to 1×3, p = 2", "kernel 2 · stride 2 · ceil_mode: the last window hangs over",
                "The norms of three windows. The torch preset scales the overhanging one up to a whole window, onnx does not.")
    rows, columns = map(Line, torch["axes"])
    grid = Grid(d, 24, TOP, rows, columns, values)
    grid.squares()
    wide = 92
    left = grid.right + 60
    d.arrow(grid.right + 14, (grid.top + grid.bottom) / 2, left - 14, (grid.top + grid.bottom) / 2)
    for i in range(3):
        grid.window(i, 0, i, 2.5)
        inside = [values[r * 5 + c] for r in range(2) for c in range(*columns.windows[i]) if c < 5]
        squares = "+".join(str(v * v) for v in inside if v) or "0"
        x = left + i * wide
        counted = rows.counted[0] * columns.counted[i]
        d.outline(i, x + 4, TOP + 4, wide - 8, 2 * CELL - 8)
        d.text(x + wide / 2, TOP + 33, text_of(torch["output"][i]), "b")
        d.text(x + wide / 2, TOP + 53, f"√{squares}" if counted == 4 and "+" not in squares
               else f"√({squares})" if counted == 4 else f"√(({squares})·4/{counted})", "n")
    grid.numbers(lambda i: "" if values[i] else "z")
    d.reach(left + 3 * wide, grid.bottom)
    d.text(24, grid.bottom + 24, f"preset onnx: {', '.join(map(text_of, onnx['output']))}. "
           "A window of zeros is 0 and lets no gradient through.", "s l")
    d.reach(0, grid.bottom + 24)
    return d


def fractional_max_pool(run):
    seed = 3
    values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5, 0, 2, 8, 8, 4, 1, 9, 7, 1,
              6, 9, 3, 9, 9, 3, 7, 5]
    plan = run("max2d fwd f32 nchw 1x1x7x7 k2 out=4 idx=plane", values, seed=seed)
    d = Drawing("fractional_max_pool2d, 7×7 to 4×4", f"kernel 2 · output_size 4 · seed {seed}: windows of one size at uneven steps",
                "Windows of 2 by 2 cells whose starts along each axis come from a random sample.")
    starts = [[w["start"] for w in axis["windows"]] for axis in plan["axes"]]
    grid, out = pooled(d, plan, [(0, 0), (1, 1), (2, 2), (3, 3)])
    grid.numbers()
    for i, axis in enumerate(("rows", "columns")):
        grid.under(f"{axis} start at {', '.join(map(str, starts[i]))}", i)
    return d


def max_unpool(run):
    values = [1, 3, 2, 1, 4, 2, 1, 0, 5, 6, 1, 2, 7, 8, 3, 4]
    pool = run("max2d fwd f32 nchw 1x1x4x4 k2 s2 idx=plane", values)
    back = run("unpool2d fwd f32 nchw 1x1x2x2 k2 s2 idx=plane", pool["output"], indices=pool["indices"])
    d = Drawing("max_unpool2d, 2×2 back to 4×4", "kernel 2 · stride 2: every value goes to its index, zeros elsewhere",
                "A plane is pooled to four maxima with indices; unpooling puts each back where it was.")
    rows, columns = map(Line, pool["axes"])
    grid = Grid(d, 24, TOP, rows, columns, values)
    small = Grid(d, grid.right + 78, TOP + CELL, plain(2), plain(2), pool["output"])
    after = Grid(d, small.right + 78, TOP, plain(4), plain(4), back["output"])
    for g in (grid, small, after):
        g.squares()
    for i, index in enumerate(pool["indices"]):
        grid.window(i, *divmod(i, 2), 2)
        d.mark(i, *grid.at(*divmod(index, 4)))
        d.mark(i, *small.at(*divmod(i, 2)))
        d.mark(i, *after.at(*divmod(index, 4)))
        x, y = small.middle(*divmod(i, 2))
        d.text(x, y + 1, text_of(pool["output"][i]), "b")
        d.text(x, y + 12, f"at {index}", "n")
    winners = set(pool["indices"])
    grid.numbers(lambda i: "b" if i in winners else "")
    after.numbers(lambda i: "b" if i in winners else "z")
    middle = (grid.top + grid.bottom) / 2
    d.arrow(grid.right + 10, middle, small.left - 10, middle)
    d.arrow(small.right + 10, middle, after.left - 10, middle)
    d.text((grid.right + small.left) / 2, middle - 10, "pool", "s")
    d.text((small.right + after.left) / 2, middle - 10, "unpool", "s")
    grid.under("max_pool2d_with_indices")
    after.under("max_unpool2d")
    return d


DRAWINGS = [max_pool, avg_pool, adaptive_pool, lp_pool, fractional_max_pool, max_unpool]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=PROGRAM, help="tidepool_windows of a build [build/release/bin]")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "ops" / "img")
    args = parser.parse_args()
    if not args.program.exists():
        sys.exit("draw_windows: tidepool_windows is not built, ./dev docs builds it")
    args.out.mkdir(parents=True, exist_ok=True)
    run = lambda problem, values=None, **more: ask(args.program, problem, values, **more)
    for draw in DRAWINGS:
        (args.out / f"{draw.__name__}.svg").write_text(draw(run).svg(), encoding="utf-8")
    print(f"{len(DRAWINGS)} drawings")


if __name__ == "__main__":
    main()
