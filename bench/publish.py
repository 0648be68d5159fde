"""Writes bench/RESULTS.md and docs/speed.svg from the JSON of earlier runs."""

import json
from pathlib import Path

import chart
import report as reporting
import targets
from files import write_aside

ROOT = Path(__file__).resolve().parent.parent


def read(path):
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(found, dict) or "rows" not in found or "machine" not in found:
        raise ValueError(f"{path} is not what ./dev bench --json writes")
    return found


def section(report):
    if report.get("weight"):
        heading = "Weight"
    else:
        what = "Neighbours" if report.get("neighbours") else "Drawn problems" if report.get("drawn") else "Networks" if report.get("networks") else "The suite"
        heading = f"{what}, {reporting.settings_line(report)}"
    parts = [f"## {heading}", "", f"`{report['command']}` took {report['seconds'] / 60:.1f} min on {report['date']}, revision {report['revision']}, "
             f"load {report['machine']['load']} before it." + (" Quick measurements." if report["quick"] else ""), ""]  # fmt: skip
    if report["rows"]:
        parts += [reporting.as_markdown(*reporting.table(report["rows"])), ""]
    if report.get("neighbours"):
        worst = sorted(report["neighbours"], key=lambda n: n["ratio"])[:20]
        lines = [[n["id"], n["problem"], n["kernel"], "", f"{n['ratio']:.2f}"] for n in worst]
        parts += ["The 20 that lose most:", "", reporting.as_markdown(["workload", "neighbour", "kernel", "", "of its GB/s"], lines), ""]
    if report.get("drawn"):
        drawn = report["drawn"]
        parts += [reporting.as_markdown(*reporting.drawn_table(drawn), range(1, 6)), "", "The 10 of every pass that are slowest against PyTorch:", "",
                  reporting.as_markdown(*reporting.worst_drawn(drawn, 10), range(1, 3)), "",
                  *(f"- {line}" for line in reporting.skipped_lines(drawn)), ""]  # fmt: skip
    if report.get("networks"):
        parts += [reporting.as_markdown(*reporting.networks_table(report["networks"]), range(4, 8)), "", reporting.NETWORKS_NOTE, ""]
    parts += ["Targets:", ""]
    for target in targets.judge(report):
        if target["verdict"] == "not measured":
            continue
        detail = f": {target['detail']}" if target["detail"] else ""
        parts.append(f"- **{target['target']} {target['verdict']}**, {target['text']}{detail}")
        parts += [f"  - {miss}" for miss in target["misses"]]
    absent = reporting.absences(report)
    if absent:
        parts += ["", "Not compared, and how:", "", *(f"- {line}" for line in absent)]
    return "\n".join(parts)


def page(reports):
    first = reports[0]
    return "\n".join([
        "# Results", "",
        "Written by `./dev bench --publish` from the JSON of the runs below. [docs/benchmarks.md](../docs/benchmarks.md) says how to read it.", "",
        f"{reporting.machine_line(first)}. {next((reporting.versions_line(r) for r in reports if r['rows']), '')}.", "",
        "GB/s: input and output bytes over our best time. limit: the time to stream the same bytes once, over ours. Rivals: their time over ours, "
        "so more than 1 is a win; `-` is explained below the table.", "",
        *("\n" + section(report) + "\n" for report in reports),
    ]).replace("\n\n\n", "\n\n").rstrip() + "\n"  # fmt: skip


def publish(paths, results=ROOT / "bench" / "RESULTS.md", picture=ROOT / "docs" / "speed.svg"):
    reports = [read(path) for path in paths]
    compared = [report for report in reports if report["rows"]]
    drawing = chart.draw(min(compared, key=lambda report: report["threads"])) if compared else None
    write_aside(results, page(reports))
    print(f"wrote {results.name}")
    if drawing:
        write_aside(picture, drawing)
        print(f"wrote {picture.name}")
    return 0
