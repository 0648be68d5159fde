"""Evaluates the speed targets from the JSON of a run. Every target lists the rows that miss it."""

import beyond
from verdict import geometric_mean, result

L2_TIMES = 4  # with more data than this many times L2, the speed of memory is the limit

# Training: forward with indices against the plain forward, large windows against small ones, and the share of the check in backward.
RECORDING_COST, WINDOW_COST, CHECK_SHARE = 1.25, 1.5, 0.1


def title(row):
    """A short name of a row: `stem32 max2d fwd nchw`."""
    extra = "" if row["dtype"] == "f32" else f" {row['dtype']}"
    extra += f" idx={row['indices']}" if row["indices"] and row["pass"] == "fwd" else ""
    return f"{row['id']} {row['op']}{row['rank']}d {row['pass']} {row['layout']}{extra}"


def moved(row):
    return row["read_bytes"] + row["written_bytes"]


def from_memory(row, l2):
    return moved(row) > L2_TIMES * l2


def never_behind(rows):
    misses, counted = [], []
    for row in rows:
        ratios = {key: rival["ratio"] for key, rival in row["rivals"].items() if "ratio" in rival}
        if ratios:
            counted.append(row)
            best = min(ratios, key=ratios.get)
            if ratios[best] < 1.0:
                misses.append(f"{title(row)}: {ratios[best]:.2f} x {best}")
    return result("T1", "at least 1.0 x the best rival on every row", counted, misses, f"{len(counted) - len(misses)} of {len(counted)} rows")


def near_the_limit(rows, l2):
    misses, counted = [], []
    for row in rows:
        wanted = 0.9 if from_memory(row, l2) else 0.5 if moved(row) <= l2 else None
        # For a few kilobytes the cost of the call dominates; T5 covers that.
        if wanted is None or row["id"] == "tiny":
            continue
        counted.append(row)
        if row["limit_ratio"] < wanted:
            misses.append(f"{title(row)}: {row['limit_ratio']:.2f}, wanted {wanted}")
    text = f"limit ratio at least 0.9 beyond {L2_TIMES} x L2, at least 0.5 within L2"
    return result("T2", text, counted, misses, f"{len(counted) - len(misses)} of {len(counted)} rows")


def far_ahead(rows):
    """Rows of forward passes with indices count for ONNX Runtime and oneDNN alone: T10 and T11 are about them."""
    wanted = (
        ("PyTorch contiguous forward", "pytorch", "fwd", 20),
        ("PyTorch contiguous backward", "pytorch", "bwd", 5),
        ("ONNX Runtime", "onnxruntime", None, 4),
        ("oneDNN plain layout", "onednn", None, 2),
    )
    misses, details, counted = [], [], []
    for name, rival, way, least in wanted:
        ratios = [row["rivals"][rival]["ratio"] for row in rows
                  if row["dtype"] == "f32" and not row["channels_last"] and way in (None, row["pass"]) and "ratio" in row["rivals"].get(rival, {})
                  and not (way == "fwd" and row["indices"] and row["op"] == "max")]
        if not ratios:
            continue
        counted += ratios
        mean = geometric_mean(ratios)
        details.append(f"{name} {mean:.1f} x")
        if mean < least:
            misses.append(f"{name}: {mean:.2f} x, wanted {least} x")
    text = "geometric means in f32: 20 x PyTorch contiguous forward, 5 x its backward, 4 x ONNX Runtime, 2 x oneDNN plain"
    return result("T3", text, counted, misses, ", ".join(details))


def window_independent(rows):
    rows = [row for row in rows if row["pass"] == "fwd" and not row["indices"]]
    small = {(r["op"], r["layout"]): r for r in rows if r["id"] == "win3"}
    misses, details = [], []
    for row in rows:
        base = small.get((row["op"], row["layout"])) if row["id"] == "win64" else None
        if base:
            cost = row["seconds"] / base["seconds"]
            details.append(f"{row['op']} {row['layout']} {cost:.2f}")
            if cost > 1.5:
                misses.append(f"{title(row)}: {cost:.2f} x the time of 3x3")
    return result("T4", "64x64 windows cost at most 1.5 x what 3x3 ones cost", details, misses, ", ".join(details))


def small_overhead(rows):
    misses, details = [], []
    for row in rows:
        if row["id"] != "tiny" or row["pass"] != "fwd" or row["indices"]:
            continue
        details.append(f"{row['layout']}: plan {row['seconds'] * 1e9:.0f} ns")
        if row["seconds"] > 150e-9:
            misses.append(f"{title(row)}: a prepared plan takes {row['seconds'] * 1e9:.0f} ns")
        if "one_shot_seconds" in row:
            details[-1] += f", one-shot {row['one_shot_seconds'] * 1e6:.2f} us"
            if row["one_shot_seconds"] > 1e-6:
                misses.append(f"{title(row)}: the one-shot function takes {row['one_shot_seconds'] * 1e6:.2f} us")
    return result("T5", "tiny: a prepared plan within 150 ns, the one-shot function within 1 us", details, misses, "; ".join(details))


def threads_help(rows):
    counted = [row for row in rows if "ours_alone_seconds" in row]
    misses = []
    for row in counted:
        gain = row["ours_alone_seconds"] / row["seconds"]
        possible = row["limit_alone_seconds"] / row["limit_seconds"]
        # Repeated measurements of the same code differ by this much.
        if gain < 0.97:
            misses.append(f"{title(row)}: {gain:.2f} x one thread")
        elif possible >= 1.7 > gain:
            misses.append(f"{title(row)}: {gain:.2f} x one thread, the limit gains {possible:.2f} x")
    text = "several threads: never slower than one, at least 1.7 x where the limit gains that"
    return result("T6", text, counted, misses, f"{len(counted) - len(misses)} of {len(counted)} rows")


def compact_indices(rows):
    counted = [row for row in rows if row["indices"] == "window" and row["op"] == "max" and row["taps"] <= 256]
    misses = [f"{title(row)}: {row['index_bytes']} bytes per output" for row in counted if row["index_bytes"] > 1]
    # A small scratch buffer per thread is allowed; one that grows with the array is not.
    misses += [f"{title(row)}: {row['scratch_bytes']} bytes of scratch" for row in counted
               if row["pass"] == "bwd" and row["scratch_bytes"] > max(row["written_bytes"] // 8, 1 << 16)]
    bytes_each = sorted({row["index_bytes"] for row in counted})
    return result("T7", "training stores at most 1 byte per output for windows of 256 cells, and no other buffer", counted, misses,
                  f"{', '.join(map(str, bytes_each))} byte per output (PyTorch 8)" if counted else "")


def narrow_types(rows, l2):
    wanted = {"f16": 1.7, "bf16": 1.7, "u8": 3.0, "i8": 3.0}
    wide = {row["problem"]: row for row in rows if row["dtype"] == "f32"}
    misses, details = [], []
    for row in rows:
        base = wide.get(row["problem"].replace(f" {row['dtype']} ", " f32 ", 1))
        if row["dtype"] not in wanted or base is None or not from_memory(base, l2):
            continue
        gain = base["seconds"] / row["seconds"]  # both have the same number of elements
        details.append(f"{title(row)} {gain:.2f}")
        if gain < wanted[row["dtype"]]:
            misses.append(f"{title(row)}: {gain:.2f} x f32, wanted {wanted[row['dtype']]}")
    return result("T8", "elements per second against f32: f16, bf16 1.7 x, u8, i8 3 x", details, misses, ", ".join(details))


def training_is_cheap(rows, l2):
    plain = {row["problem"]: row for row in rows if not row["indices"]}
    recording = [row for row in rows if row["op"] == "max" and row["pass"] == "fwd" and row["indices"] == "window"]
    misses, costs, checks = [], [], []
    for row in recording:
        base = plain.get(row["problem"].replace(" idx=window", ""))
        if base and row["index_bytes"] == 1 and from_memory(base, l2):
            costs.append(row["seconds"] / base["seconds"])
            if costs[-1] > RECORDING_COST:
                misses.append(f"{title(row)}: {costs[-1]:.2f} x the time without indices, wanted {RECORDING_COST}")
    for small, large in (("spp5", "spp13"), ("win3", "win64")):
        base = {(row["op"], row["layout"]): row for row in recording if row["id"] == small}
        for row in recording:
            if row["id"] == large and (row["op"], row["layout"]) in base:
                cost = row["seconds"] / base[row["op"], row["layout"]]["seconds"]
                if cost > WINDOW_COST:
                    misses.append(f"{title(row)}: {cost:.2f} x the time of {small}, wanted {WINDOW_COST}")
    for row in rows:
        if "unchecked_seconds" in row and row["id"] != "tiny":
            checks.append(1 - row["unchecked_seconds"] / row["seconds"])
            if checks[-1] > CHECK_SHARE:
                misses.append(f"{title(row)}: checking the indices takes {100 * checks[-1]:.0f} % of it, wanted {100 * CHECK_SHARE:g} %")
    details = [f"one-byte indices cost {geometric_mean(costs):.2f} x in the mean, {max(costs):.2f} at most"] if costs else []
    details += [f"checking them {100 * sorted(checks)[len(checks) // 2]:.0f} % of backward in the median, {100 * max(checks):.0f} at most"] if checks else []
    text = (f"training: one-byte indices at most {RECORDING_COST} x the forward without where memory-bound, large windows at most {WINDOW_COST} x small "
            f"ones, checking indices at most {100 * CHECK_SHARE:g} % of backward")  # fmt: skip
    return result("T10", text, costs + checks, misses, ", ".join(details))


def judge(report):
    rows, l2 = report["rows"], report["machine"]["l2_bytes"]
    verdicts = [
        never_behind(rows), near_the_limit(rows, l2), far_ahead(rows), window_independent(rows), small_overhead(rows), threads_help(rows),
        compact_indices(rows), narrow_types(rows, l2), training_is_cheap(rows, l2), *beyond.judge(report),
    ]  # fmt: skip
    return verdicts
