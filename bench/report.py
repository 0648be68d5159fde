"""Formats the table of a run and the results for its targets, as text for a terminal or as Markdown."""

from collections import Counter

from beyond import by_pass, even_share
from draw import PASSES, pass_of
from verdict import geometric_mean

RIVALS = {"pytorch": "PyTorch", "torch_compile": "torch.compile", "onnxruntime": "ONNX Runtime", "openvino": "OpenVINO", "onednn": "oneDNN",
          "xnnpack": "XNNPACK", "litert": "LiteRT"}  # fmt: skip

SUITE_TARGETS = ("T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T10")

NETWORKS_NOTE = "ratio: PyTorch's time / the time with tidepool. noise: the same between every other turn of PyTorch alone."


def ratio_text(rival):
    if "ratio" not in rival:
        return "wrong" if "wrong" in rival else "-"
    return number(rival["ratio"])


def number(ratio):
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}" if ratio < 100 else f"{ratio:.0f}"


def what(row):
    text = f"{row['op']}{row['rank']}d"
    text += "" if row["dtype"] == "f32" else f" {row['dtype']}"
    return text + (f" idx={row['indices']}" if row["indices"] and row["pass"] == "fwd" and row["op"] != "unpool" else "")


def table(rows):
    """Header and lines of the table. Rivals without any measurement have no column; `absences` lists them."""
    present = [key for key in RIVALS if any("ratio" in row["rivals"].get(key, {}) for row in rows)]
    header = ["workload", "op", "layout", "pass", "GB/s", "limit"] + [RIVALS[key] for key in present] + ["kernel"]
    lines = []
    for row in rows:
        speeds = [f"{row['gb_per_s']:.1f}", f"{row['limit_ratio']:.2f}"]
        lines.append([row["id"], what(row), row["layout"], row["pass"], *speeds, *(ratio_text(row["rivals"].get(key, {})) for key in present), row["kernel"]])
    return header, lines


def as_text(header, lines, numbers=None):
    """`numbers`: the columns that are aligned to the right, by default those of table()."""
    widths = [max(len(line[i]) for line in [header, *lines]) for i in range(len(header))]
    right = range(4, len(header) - 1) if numbers is None else numbers

    def one(line):
        return "  ".join(cell.rjust(w) if i in right else cell.ljust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))).rstrip()

    return "\n".join([one(header), one(["-" * w for w in widths]), *map(one, lines)])


def as_markdown(header, lines, numbers=None):
    right = range(4, len(header) - 1) if numbers is None else numbers
    rule = ["--:" if i in right else "---" for i in range(len(header))]
    return "\n".join("| " + " | ".join(line) + " |" for line in [header, rule, *lines])


def absences(report):
    """The reasons for missing columns and cells of the table, and notes about measurements."""
    lines = [f"{RIVALS[key]} is absent: {reason}" for key, reason in report["absent"].items()]
    reasons, notes = {}, {}
    for row in report["rows"]:
        for key, rival in row["rivals"].items():
            if "cannot" in rival:
                reasons.setdefault(rival["cannot"], []).append(row)
            if rival.get("note"):
                notes.setdefault((key, rival["note"]), []).append(row)
    lines += [f"{len(rows)} x -: {reason} ({names(rows)})" for reason, rows in sorted(reasons.items())]
    lines += [f"{RIVALS[key]} {note}: {names(rows)}" for (key, note), rows in sorted(notes.items())]
    return lines


def drawn_table(drawn):
    """Header and lines of the summary of drawn problems, a line per pass."""
    lines = []
    for way, ratios in by_pass(drawn["rows"]):
        inside = sorted(ratios)
        lines.append([way, str(len(ratios)), f"{100 * even_share(ratios):.1f} %", number(geometric_mean(ratios)), number(inside[len(inside) // 2]),
                      number(inside[0])])  # fmt: skip
    return ["pass", "draws", "at least 1.0 x PyTorch", "geometric mean", "median", "worst"], lines


def worst_drawn(drawn, most):
    """Header and lines of the drawn problems that are slowest against PyTorch, `most` of every pass."""
    lines = []
    for way in PASSES:
        rows = sorted((row for row in drawn["rows"] if pass_of(row) == way), key=lambda row: row["rivals"]["pytorch"]["ratio"])
        lines += [[way, number(row["rivals"]["pytorch"]["ratio"]), f"{row['limit_ratio']:.2f}", row["kernel"], row["problem"]] for row in rows[:most]]
    return ["pass", "ratio", "limit", "kernel", "problem"], lines


def skipped_lines(drawn):
    counts = Counter((skip["reason"], skip["pass"]) for skip in drawn["skipped"])
    return [f"{count} x left out, {way}: {reason}" for (reason, way), count in sorted(counts.items())]


def networks_table(rows):
    """Header and lines of whole networks, and of their geometric means."""
    lines = [[row["network"], row["mode"], row["layout"], "x".join(map(str, row["shape"])), f"{row['pytorch_seconds'] * 1e3:.1f}",
              f"{row['tidepool_seconds'] * 1e3:.1f}", f"{row['ratio']:.3f}", f"{row['noise']:.3f}"] for row in rows]  # fmt: skip
    groups = dict.fromkeys((row["mode"], row["layout"]) for row in rows)
    for mode, layout in groups:
        ratios = [row["ratio"] for row in rows if (row["mode"], row["layout"]) == (mode, layout)]
        lines.append(["geometric mean", mode, layout, "", "", "", f"{geometric_mean(ratios):.3f}", ""])
    return ["network", "step of", "layout", "input", "PyTorch ms", "with tidepool ms", "ratio", "noise"], lines


def names(rows, most=6):
    found = list(dict.fromkeys(row["id"] for row in rows))
    return ", ".join(found[:most]) + (f" and {len(found) - most} more" if len(found) > most else "")


def verdict_lines(targets, most=None):
    lines = []
    for target in targets:
        detail = f" ({target['detail']})" if target["detail"] else ""
        lines.append(f"{target['target']} {target['verdict']}: {target['text']}{detail}")
        misses = target["misses"][:most]
        lines += [f"    {miss}" for miss in misses]
        if len(misses) < len(target["misses"]):
            lines.append(f"    and {len(target['misses']) - len(misses)} more")
    return lines


def versions_line(report):
    known = [f"{RIVALS.get(key, key)} {version}" for key, version in report["versions"].items() if version]
    return ", ".join(known)


def machine_line(report):
    m = report["machine"]
    return (f"{m['cpu']}, {m['cores']} cores, {m['l2_bytes'] / 2**20:.2f} MB L2, {m['l3_bytes'] / 2**20:.0f} MB L3, "
            f"{m['memory_gb']} GB, {m['system']}")


def settings_line(report):
    """`1 thread, AVX2 (PyTorch restricted to it)`."""
    threads = f"{report['threads']} thread{'s' * (report['threads'] > 1)}"
    note = f" ({report['target_note']})" if report.get("target_note") else ""
    return threads + (f", {report['target']}{note}" if report.get("target") else "")


def text(report):
    parts = [f"{machine_line(report)}; {settings_line(report)}", versions_line(report), ""]
    if report["rows"]:
        parts += [as_text(*table(report["rows"])), "", "limit: share of what streaming the same bytes allows. Rivals: their time / ours.", ""]
        parts += absences(report) + [""]
    if report.get("neighbours"):
        worst = sorted(report["neighbours"], key=lambda n: n["ratio"])
        parts += [f"neighbour, {n['ratio']:.2f} of the GB/s of {n['id']}: {n['problem']}" for n in worst[:10]] + [""]
    if report.get("drawn"):
        drawn = report["drawn"]
        parts += [f"{drawn['count']} problems drawn with seed {drawn['seed']}. Ratios: PyTorch's time / ours.", ""]
        parts += [as_text(*drawn_table(drawn), range(1, 6)), ""]
        parts += ["The slowest against PyTorch:", "", as_text(*worst_drawn(drawn, 10), range(1, 3)), "", *skipped_lines(drawn), ""]
    if report.get("networks"):
        parts += [as_text(*networks_table(report["networks"]), range(4, 8)), "", NETWORKS_NOTE, ""]
    measured = [t for t in report["targets"] if t["verdict"] != "not measured" or (report["rows"] and t["target"] in SUITE_TARGETS)]
    return "\n".join([*parts, *verdict_lines(measured, 20)])
