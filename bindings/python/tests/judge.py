"""Whether an answer is PyTorch's. Bit for bit, but for sums whose order or rounding is intended to differ."""

import torch

EPSILON = {torch.float64: 2.0**-52, torch.float32: 2.0**-23, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
# Lp is made of powers, which lose some ulp each in PyTorch's vectors and in ours; slopes and curvatures lose more where roots are small.
LP_ULPS = {"values": 32, "grad_input": 512, "double_backward": 512, "double_backward_input": 1 << 14}


# Steps of a computation that each round to 16 bits, and then cancel.
STEPWISE_ULPS = 16


def difference(case, marks, name, want, got, sums=None, stepwise=False):
    """The first cell that differs, in words, or None. `sums`: per cell, the magnitude of what was added up. `stepwise`: both were rounded
    to the dtype at every step, one of which tidepool did."""
    if want.dtype != got.dtype or want.shape != got.shape:
        return f"{got.dtype} of {tuple(got.shape)} for {want.dtype} of {tuple(want.shape)}"
    if not want.is_floating_point():
        equal = want == got
    else:
        equal = (want == got) & (torch.signbit(want) == torch.signbit(got)) | (want.isnan() & got.isnan())
        if case.family in ("avg_pool", "adaptive_avg_pool", "lp_pool") and (marks & {"negative_zero"} or case.family == "lp_pool"):
            equal |= (want == 0) & (got == 0)
        if "lp_zero_window" in marks:
            equal |= want.isnan()
        w, g, epsilon = want.double(), got.double(), EPSILON[want.dtype]
        summing = EPSILON[torch.float32] if want.dtype != torch.float64 else epsilon
        if sums is not None:
            equal |= (w - g).abs() <= epsilon * w.abs() + 4 * summing * sums
        if case.family == "lp_pool":
            finite = w[w.isfinite()].abs()
            scale = finite.max() if finite.numel() else torch.tensor(0.0)
            equal |= (w - g).abs() <= LP_ULPS[name] * (epsilon * w.abs() + summing * scale)
            if stepwise:
                equal |= (w - g).abs() <= STEPWISE_ULPS * epsilon * (scale + (0 if sums is None else sums))
    if bool(equal.all()):
        return None
    at = tuple(torch.nonzero(~equal)[0].tolist())
    return f"at {at} PyTorch has {want[at].item()!r}, got {got[at].item()!r}; {int((~equal).sum())} of {want.numel()} cells differ"
