"""What judging a target results in."""

import math


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def result(name, text, rows, misses, detail=""):
    verdict = "not measured" if not rows else "miss" if misses else "pass"
    return {"target": name, "text": text, "verdict": verdict, "detail": detail, "misses": misses}
