"""Evaluates the targets that are not about rows of the suite: weight, neighbours, drawn problems, whole networks."""

from draw import BACKWARD, FORWARD, PASSES, RECORDING, pass_of
from verdict import geometric_mean, result

LIBRARY_BYTES, BUILD_SECONDS = 3e6, 480

# Drawn problems against PyTorch: this share of them at least even, none below the worst; the geometric mean by pass.
EVEN_SHARE, WORST = 0.97, 0.8
MEANS = {FORWARD: 6, RECORDING: 3, BACKWARD: 2}

# Whole networks with the drop-in against PyTorch alone: the least of any, and geometric means by mode, contiguous.
LEAST_NETWORK = 0.98
NETWORK_MEANS = {"training": 1.1, "inference": 1.2}


def light(weight):
    text = f"stripped shared library within {LIBRARY_BYTES / 1e6:g} MB, clean build within {BUILD_SECONDS / 60:g} min"
    if not weight:
        return result("T9", text, [], [])
    misses = []
    if weight["library_bytes"] > LIBRARY_BYTES:
        misses.append(f"the stripped library has {weight['library_bytes'] / 1e6:.2f} MB")
    if weight["build_seconds"] > BUILD_SECONDS:
        misses.append(f"a clean build takes {weight['build_seconds'] / 60:.1f} min")
    detail = f"{weight['library_bytes'] / 1e6:.2f} MB, {weight['build_seconds'] / 60:.1f} min on {weight['jobs']} cores"
    return result("T9", text, [weight], misses, detail)


def by_pass(rows):
    """(pass, ratios) of drawn rows, for the passes that were measured."""
    found = {way: [row["rivals"]["pytorch"]["ratio"] for row in rows if pass_of(row) == way] for way in PASSES}
    return [(way, ratios) for way, ratios in found.items() if ratios]


def even_share(ratios):
    return sum(ratio >= 1 for ratio in ratios) / len(ratios)


def drawn_ahead(drawn):
    misses, details = [], []
    for way, ratios in by_pass(drawn["rows"] if drawn else []):
        share, mean, worst = even_share(ratios), geometric_mean(ratios), min(ratios)
        details.append(f"{way}: {100 * share:.1f} %, worst {worst:.2f}, mean {mean:.2f}")
        if share < EVEN_SHARE:
            misses.append(f"{way}: at least 1.0 x PyTorch in {100 * share:.1f} % of {len(ratios)} draws, wanted {100 * EVEN_SHARE:g} %")
        if worst < WORST:
            misses.append(f"{way}: {sum(ratio < WORST for ratio in ratios)} draws below {WORST}, the worst {worst:.2f}")
        if mean < MEANS[way]:
            misses.append(f"{way}: geometric mean {mean:.2f}, wanted {MEANS[way]}")
    text = (f"drawn problems: at least 1.0 x PyTorch in {100 * EVEN_SHARE:g} %, never below {WORST}, "
            f"geometric means {', '.join(f'{mean} {way}' for way, mean in MEANS.items())}")  # fmt: skip
    return result("T11", text, details, misses, "; ".join(details))


def networks_gain(rows):
    misses = [f"{row['network']} {row['mode']} {row['layout']}: {row['ratio']:.3f} x PyTorch (noise {row['noise']:.3f})"
              for row in rows if row["ratio"] < LEAST_NETWORK]  # fmt: skip
    details = [f"worst {min(row['ratio'] for row in rows):.3f}"] if rows else []
    for mode, wanted in NETWORK_MEANS.items():
        ratios = [row["ratio"] for row in rows if row["mode"] == mode and row["layout"] == "contiguous"]
        if ratios:
            mean = geometric_mean(ratios)
            details.append(f"contiguous {mode} {mean:.2f}")
            if mean < wanted:
                misses.append(f"contiguous {mode}: geometric mean {mean:.3f}, wanted {wanted}")
    text = f"whole networks: never below {LEAST_NETWORK} x PyTorch alone, contiguous geometric means 1.1 training, 1.2 inference"
    return result("T12", text, rows, misses, ", ".join(details))


def neighbours_alike(neighbours):
    misses = [f"{n['id']}: {n['problem']} has {n['ratio']:.2f} of the GB/s of {n['base']}" for n in neighbours if n["ratio"] < 0.8]
    detail = f"{len(neighbours) - len(misses)} of {len(neighbours)} neighbours"
    return result("neighbours", "random neighbours of every shape keep 80 % of its GB/s", neighbours, misses, detail)


def judge(report):
    verdicts = [light(report.get("weight")), drawn_ahead(report.get("drawn")), networks_gain(report.get("networks", []))]
    return verdicts + ([neighbours_alike(report["neighbours"])] if report.get("neighbours") else [])
