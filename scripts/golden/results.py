"""Runs a case in PyTorch: values, indices, gradient, double backward. Marks cases in which tidepool intentionally differs."""

import math
from dataclasses import replace

import torch
import torch.nn.functional as F
from arrays import FLOATS, GRAD, GRAD_GRAD, HALVES, SAMPLES, X, array, lay_out
from torch.autograd import grad as autograd

# Intentional differences from PyTorch, and what is stored or compared instead. A mark is only set on cases that it affects.
INTENDED = {
    "empty_window": "PyTorch's index of an empty dilated window can lie outside the plane, and its backward writes there: index -1 is "
                    "stored, and no gradient",
    "rounded_once": "PyTorch rounds f16 and bf16 at every step of this computation: its float32 result, rounded once, is stored",
    "bin_division": "PyTorch divides an adaptive average once per axis, and sums a single bin in another order: compared within ulps",
    "negative_zero": "PyTorch's average is -0 here, in some layouts only; tidepool's never is: the sign of zeros is not compared",
    "start_index": "PyTorch's 3-D channels-last kernel forgets the depth in the index of a window of -inf: its contiguous result is stored",
    "lp_signed": "PyTorch takes x^p without the absolute value, which shows below zero, and for p = 1 in the slope at zero: compared with "
                 "signed_power alone, not with the norm",
    "lp_zero_window": "PyTorch's second derivative at a window of zeros is NaN: where it is NaN, nothing is compared",
}


def op(case, name):
    return getattr(F, f"{name}{case.rank}d")


def arguments(case):
    return dict(kernel_size=case.kernel, stride=case.steps(), padding=case.padding, ceil_mode=case.ceil_mode)


def max_pool(case, x):
    return op(case, "max_pool")(x, dilation=case.dilation, return_indices=True, **arguments(case))


def avg_pool(case, x):
    override = {} if case.rank == 1 else dict(divisor_override=case.divisor or None)
    return op(case, "avg_pool")(x, count_include_pad=case.count_include_pad, **override, **arguments(case)), None


def lp_pool(case, x):
    kernel, stride = (case.kernel[0], case.steps()[0]) if case.rank == 1 else (case.kernel, case.steps())
    return op(case, "lp_pool")(x, case.norm, kernel, stride, case.ceil_mode), None


def bins(case):
    return case.output if case.size_given else tuple(None if o == l else o for o, l in zip(case.output, case.shape[2:]))


def adaptive_max_pool(case, x):
    return op(case, "adaptive_max_pool")(x, bins(case), return_indices=True)


def adaptive_avg_pool(case, x):
    return op(case, "adaptive_avg_pool")(x, bins(case)), None


def fractional_max_pool(case, x):
    samples = array(case.seed, SAMPLES, (*case.shape[:2], case.rank), "unit", case.dtype)
    return op(case, "fractional_max_pool")(x, case.kernel, case.output, _random_samples=samples, return_indices=True)


def unpool_indices(case):
    """Indices of a real pooling for every second case whose shapes allow it; else random indices with duplicates."""
    space = array(case.seed, SAMPLES, case.tensor_shape(case.output), "full", "f64")
    if case.seed % 2 == 0 and all(o <= l for o, l in zip(case.shape[2:], case.output)):
        return op(case, "adaptive_max_pool")(space, case.shape[2:], return_indices=True)[1]
    anywhere = array(case.seed, SAMPLES, case.tensor_shape(), "unit", "f64")
    return (anywhere * math.prod(case.output)).long()


def max_unpool(case, x):
    indices = unpool_indices(case)
    size = case.output if case.size_given else None
    return op(case, "max_unpool")(x, indices, case.kernel, case.steps(), case.padding, output_size=size), indices


RUN = {f.__name__: f for f in (max_pool, avg_pool, lp_pool, adaptive_max_pool, adaptive_avg_pool, fractional_max_pool, max_unpool)}


def empty_windows(case):
    """The outputs of a plane whose window contains no input element."""
    axes = []
    for length, o, k, s, p, d in zip(case.shape[2:], case.output, case.kernel, case.steps(), case.padding, case.dilation):
        taps = [[i * s - p + t * d for t in range(k)] for i in range(o)]
        axes.append(torch.tensor([not any(0 <= c < length for c in cells) for cells in taps]))
    empty = torch.zeros(case.output, dtype=torch.bool)
    for axis, flags in enumerate(axes):
        empty |= flags.reshape([-1 if i == axis else 1 for i in range(case.rank)])
    return empty


def uneven_division(case):
    """Whether PyTorch's result can differ by rounding: it divides once per axis, which is inexact for more than one size that is not a power of two,
    and sums a single bin in another order."""
    if all(o == 1 for o in case.output):
        return math.prod(case.shape[2:]) > 2
    inexact = 0
    for length, o in zip(case.shape[2:], case.output):
        sizes = [-(-(i + 1) * length // o) - i * length // o for i in range(o)]
        inexact += any(n & (n - 1) for n in sizes)
    return inexact > 1


def passes(case, dtype):
    """PyTorch's results, computed in `dtype` from the values of the case, which are rounded to its own dtype."""

    def make(stream, shape, contents):
        return lay_out(array(case.seed, stream, shape, contents, case.dtype).to(dtype), case.layout, case.batched)

    x = make(X, case.tensor_shape(), case.contents)
    if case.dtype not in FLOATS:
        values, indices = RUN[case.family](case, x)
        return dict(values=values, indices=indices)
    x.requires_grad_()
    values, indices = RUN[case.family](case, x)
    result = dict(values=values, indices=indices)
    if case.family == "max_pool" and empty_windows(case).any():
        return result
    if case.family == "lp_pool" and (case.contents == "specials" or (case.norm == 1.5 and case.contents == "eighths")):
        return result  # gradients would be mostly NaN and infinity
    grad = make(GRAD, values.shape, "full" if case.seed % 2 else "eighths").requires_grad_()
    result["grad_input"], = autograd(values, x, grad, create_graph=True)
    if case.family == "lp_pool" and (case.norm == math.inf or (case.norm == 3 and case.contents == "eighths")):
        return result  # the second derivative is zero for the infinity norm, and mostly rounding error for sums that cancel
    if not result["grad_input"].requires_grad:  # PyTorch does not record a graph for an empty max_unpool
        assert values.numel() == 0
        return {**result, "double_backward": grad}
    grad_grad = make(GRAD_GRAD, x.shape, "full")
    wanted = [grad, x] if case.family == "lp_pool" else [grad]
    second = autograd(result["grad_input"], wanted, grad_grad, allow_unused=True)
    result["double_backward"] = second[0]
    if len(second) > 1:
        result["double_backward_input"] = torch.zeros_like(x) if second[1] is None else second[1]
    return result


def rounded_once(case, own):
    """Results for f16 and bf16 as tidepool defines them: computed in f32 and rounded once at the end."""
    if case.family != "fractional_max_pool":
        as_float = passes(case, torch.float32)
    else:  # the windows depend on samples in the dtype of the case, so only the gradient, a sum, is computed in f32
        shape, last = own["grad_input"].shape, -case.rank
        grad = array(case.seed, GRAD, own["values"].shape, "full" if case.seed % 2 else "eighths", case.dtype).float()
        zeros = torch.zeros(shape).flatten(last)
        as_float = {**own, "grad_input": zeros.scatter_add(-1, own["indices"].flatten(last), grad.flatten(last)).reshape(shape)}
    return {k: v if k == "indices" or v is None else v.to(own["values"].dtype) for k, v in as_float.items()}


def equal(a, b):
    return torch.equal(torch.nan_to_num(a, nan=12345.0), torch.nan_to_num(b, nan=12345.0))


def run(case):
    """Returns the results to store and the marks of INTENDED that apply."""
    dtype = array(case.seed, X, (0,), case.contents, case.dtype).dtype
    own, marks, asked = passes(case, dtype), set(), case
    if case.family == "max_pool" and case.rank == 3 and case.layout == "channels_last":
        plain = replace(case, layout="contiguous")
        contiguous = passes(plain, dtype)
        if not torch.equal(contiguous["indices"], own["indices"]) and not empty_windows(case).any():
            marks.add("start_index")
            own, asked = contiguous, plain
    if case.dtype in HALVES:
        once = rounded_once(asked, own)
        differ = {k for k, v in own.items() if v is not None and k != "indices" and not equal(v, once[k])}
        assert not (differ & {"values", "double_backward"} and "max_pool" in case.family), case  # max pooling copies values, so rounding cannot differ
        for k in differ if case.family != "lp_pool" else ():  # only rounding may differ; powers in f16 can also overflow, so lp_pool is excluded
            assert torch.allclose(own[k].float(), once[k].float(), rtol=0.02, atol=0.3, equal_nan=True), (case, k)
        if differ:
            marks.add("rounded_once")
            own.update((k, once[k]) for k in differ)
    if case.family == "max_pool" and empty_windows(case).any():
        marks.add("empty_window")
        case.hard.add("empty_window")
        own["indices"] = torch.where(empty_windows(case), -1, own["indices"])
    if case.family == "adaptive_avg_pool" and uneven_division(case):
        marks.add("bin_division")
    if case.family in ("avg_pool", "adaptive_avg_pool") and case.dtype in FLOATS:
        if any(((t == 0) & torch.signbit(t)).any() for t in own.values() if t is not None):
            marks.add("negative_zero")
    x = array(case.seed, X, case.tensor_shape(), case.contents, case.dtype)
    if case.family == "lp_pool":
        if (x < 0).any() and case.norm not in (2, 4, math.inf) or (x == 0).any() and case.norm == 1:
            marks.add("lp_signed")
        if any(own[k].isnan().any() for k in own if k.startswith("double") and own[k] is not None):
            marks.add("lp_zero_window")
    if case.dtype in FLOATS:
        case.hard |= {kind for kind, found in (("nan", x.isnan()), ("infinity", x.isinf()), ("negative_zero", (x == 0) & torch.signbit(x)))
                      if found.any()}
    if case.family == "max_unpool":
        planes = own["indices"].flatten(-case.rank).reshape(-1, math.prod(case.shape[2:]))
        if any(len(set(plane.tolist())) < planes.shape[1] for plane in planes):
            case.hard.add("duplicate_indices")
    expected = case.tensor_shape(case.output)
    assert tuple(own["values"].shape) == expected, (case, own["values"].shape)
    return {k: v.detach() for k, v in own.items() if v is not None}, marks
