"""Draws docs/speed.svg from the JSON of a run. Every measured pair of a workload and a rival library is a dot, whether tidepool is faster or not."""

import math
from html import escape

from report import RIVALS
from targets import geometric_mean, title

WIDTH, LEFT, RIGHT, TOP, ROW, RADIUS = 840, 226, 76, 74, 28, 4
LAYOUTS = {False: "NCHW", True: "NHWC"}
PASSES = {"fwd": "forward", "bwd": "backward"}

# Colours that are readable on white and on black. Text adapts where the viewer supports prefers-color-scheme.
STYLE = """
  text { font: 13px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #76808a }
  .head { font-size: 16px; font-weight: 600 }
  .mean { font-weight: 600 }
  .small { font-size: 11px }
  .grid { stroke: #8c959f; stroke-opacity: .25 }
  .even { stroke: #8c959f; stroke-width: 1.5 }
  .ahead { fill: #2088d8; fill-opacity: .55 }
  .behind { fill: #d9622b; fill-opacity: .75 }
  .limit { fill: #7d8590; fill-opacity: .6 }
  .bar { stroke: #76808a; stroke-width: 3 }
  @media (prefers-color-scheme: light) {
    .head, .label, .mean { fill: #24292f }
    .bar { stroke: #24292f }
  }
  @media (prefers-color-scheme: dark) {
    .head, .label, .mean { fill: #e6edf3 }
    .bar { stroke: #e6edf3 }
  }
"""


def groups(rows):
    """A list of (label, [(ratio, workload)], is_limit) per measured rival, layout and pass. The memory limit comes last."""
    found = []
    for key, name in RIVALS.items():
        for way, word in PASSES.items():
            for last, layout in LAYOUTS.items():
                dots = [(row["rivals"][key]["ratio"], title(row)) for row in rows
                        if row["pass"] == way and row["channels_last"] == last and "ratio" in row["rivals"].get(key, {})]
                if dots:
                    found.append((f"{name} {layout} {word}", dots, False))
    for way, word in PASSES.items():
        dots = [(row["limit_ratio"], title(row)) for row in rows if row["pass"] == way]
        if dots:
            found.append((f"the memory limit, {word}", dots, True))
    return found


def decades(groups_):
    ratios = [ratio for _, dots, _ in groups_ for ratio, _ in dots]
    return min(-1, math.floor(math.log10(min(ratios)))), max(1, math.ceil(math.log10(max(ratios))))


def tick_text(power):
    return f"{10**power:g} ×"


def times(ratio):
    return f"{ratio:.2f} ×" if ratio < 10 else f"{ratio:.0f} ×"


def draw(report):
    rows = groups(report["rows"])
    if not rows:
        raise ValueError("no row of that run was measured with a rival")
    low, high = decades(rows)
    height = TOP + ROW * len(rows) + 62

    def x(ratio):
        return LEFT + (math.log10(ratio) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    threads = f"{report['threads']} thread{'s' * (report['threads'] > 1)}"
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" '
           f'aria-label="tidepool against other libraries, {threads}">', f"<style>{STYLE}</style>",
           '<text class="head" x="0" y="18">tidepool is how many times as fast as…</text>',
           f'<text x="0" y="38">A dot is a workload, {threads}. Blue: tidepool is ahead. Orange: behind. Grey: its share of what memory allows.</text>']  # fmt: skip
    bottom = TOP + ROW * len(rows) - 8
    for power in range(low, high + 1):
        at = x(10**power)
        out.append(f'<line class="{"even" if power == 0 else "grid"}" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP - 14}" y2="{bottom}"/>')
        out.append(f'<text class="small" x="{at:.1f}" y="{bottom + 16}" text-anchor="middle">{tick_text(power)}</text>')
    for i, (label, dots, limit) in enumerate(rows):
        y = TOP + ROW * i
        out.append(f'<text class="label" x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(label)}</text>')
        for ratio, what in sorted(dots):
            kind = "limit" if limit else "ahead" if ratio >= 1 else "behind"
            out.append(f'<circle class="{kind}" cx="{x(ratio):.1f}" cy="{y}" r="{RADIUS}"><title>{escape(what)}: {times(ratio)}</title></circle>')
        mean = geometric_mean([ratio for ratio, _ in dots])
        out.append(f'<line class="bar" x1="{x(mean):.1f}" x2="{x(mean):.1f}" y1="{y - 9}" y2="{y + 9}"/>')
        out.append(f'<text class="mean" x="{WIDTH - RIGHT + 12}" y="{y + 4}">{times(mean)}</text>')
    versions = ", ".join(f"{RIVALS[key]} {version}" for key, version in report["versions"].items() if version and key in RIVALS)
    out.append(f'<text class="small" x="0" y="{height - 24}">Bars and the numbers at the right are geometric means. {escape(versions)}.</text>')
    quick = " Quick measurements." if report["quick"] else ""
    out.append(f'<text class="small" x="0" y="{height - 8}">{escape(report["machine"]["cpu"])}, {report["date"]}.{quick}</text>')
    return "\n".join([*out, "</svg>", ""])
