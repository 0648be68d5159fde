"""The table that ./dev mutants prints."""

from collections import Counter, defaultdict


def folder(path: str) -> str:
    return "/".join(path.split("/")[:2])


def summary(results: list[dict]) -> str:
    """One row per folder: changes judged, noticed, not noticed, the share noticed, and the draws that were not counted."""
    counts: dict[str, Counter] = defaultdict(Counter)
    for result in results:
        for key in (folder(result["path"]), "total"):
            counts[key][result["outcome"]] += 1
    rows = [("folder", "judged", "caught", "survived", "score", "same code", "does not compile")]
    for name in [*sorted(key for key in counts if key != "total"), "total"]:
        count = counts[name]
        judged = count["caught"] + count["survived"]
        score = f"{100 * count['caught'] / judged:.0f} %" if judged else "-"
        rows.append((name, judged, count["caught"], count["survived"], score, count["same code"], count["does not compile"]))
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(str(v).ljust(w) if i == 0 else str(v).rjust(w) for i, (v, w) in enumerate(zip(row, widths))) for row in rows)
