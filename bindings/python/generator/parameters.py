"""The type and the documentation of every parameter of the package's functions, by name. generate.py puts them into the sources."""

from __future__ import annotations

SHAPES = {1: "(N, C, L) or (C, L)", 2: "(N, C, H, W) or (C, H, W)", 3: "(N, C, D, H, W) or (C, D, H, W)"}

# name -> (annotation, text). ARRAY is the array type of the module: a type variable for tidepool, torch.Tensor for tidepool.torch.
PARAMETERS = {
    "input": ("ARRAY", "ARRAY of shape SHAPE."),
    "grad": ("ARRAY", "Gradient of the output."),
    "gg": ("ARRAY", "Gradient of the backward pass's result; has the input's shape."),
    "indices": ("INDICES", "Indices that the forward pass returned with return_indices=True."),
    "input_shape": ("Sequence[SupportsIndex]", "Shape of the forward pass's input."),
    "kernel_size": ("Size", "Size of the window: one int, or one per axis."),
    "stride": ("Size | None", "Distance between windows: one int, or one per axis. None means kernel_size."),
    "padding": ("Padding", 'Elements added at the borders: n, one per axis, (before, after) per axis, "same", "same_lower" or "valid".'),
    "dilation": ("Size", "Distance between the elements of a window: one int, or one per axis."),
    "ceil_mode": ("CeilMode", 'Whether windows that cross the far border are kept: False, True, "floor", "ceil" or "ceil_full".'),
    "return_indices": ("bool", "Return a pair: the result, and for each of its elements the index of the input element it came from."),
    "count_include_pad": ("CountPad", 'What averages are divided by: True (elements of input and padding), False (input only) or "full_kernel".'),
    "divisor_override": ("int | None", "Divide by this number instead."),
    "rounding": ("Rounding | None", 'How averages of integers are rounded: "truncate" (as in PyTorch), "floor" or "nearest_even".'),
    "norm_type": ("float", "The exponent p, above 0. Infinity gives the largest magnitude."),
    "signed_power": ("bool", "Use PyTorch's formula, x^p without the absolute value. p may then be negative."),
    "output_size": ("OutputSize", "Size of the output: one int, or one per axis. None keeps the size of that axis."),
    "output_ratio": ("float | Sequence[float] | None", "Size of the output as a fraction of the input: one float, or one per axis."),
    "_random_samples": ("INDICES | None", "Numbers in [0, 1), shape (N, C, RANK), of the input's dtype: gives the windows PyTorch computes from them."),
    "seed": ("int | None", "The same seed gives the same windows on every machine. None draws new windows."),
    "nan": ("Nan | None", '"propagate" (a window with a NaN gives NaN) or "ignore".'),
    "index_base": ("IndexBase | None", 'What indices count from: "plane" (int64, as in PyTorch), "tensor" (as in ONNX) or "window" (as few bits as fit).'),
    "preset": ("Preset | None", 'Whose conventions fill the options left at their default: "torch", "onnx", "tensorflow" or "caffe".'),
    "out": ("ARRAY | None", "ARRAY to write the result into."),
}

# The same for parameters that mean something else in one family of functions.
SPECIAL = {
    ("fractional_max_pool", "output_size"): ("Size | None", "Size of the output: one int, or one per axis. Give this or output_ratio."),
    ("fractional_max_pool_backward", "seed"): ("int | None", 'Seed of the forward pass, needed only for index_base="window".'),
    ("fractional_max_pool_double_backward", "seed"): ("int | None", 'Seed of the forward pass, needed only for index_base="window".'),
    ("torch.fractional_max_pool", "seed"): ("int | None", "The same seed gives the same windows on every machine. None draws with torch.rand."),
    ("max_unpool", "input"): ("ARRAY", "Pooled values."),
    ("torch.max_unpool", "input"): ("ARRAY", "Pooled values."),
    ("max_unpool", "indices"): ("INDICES", "Indices that the pooling returned with return_indices=True."),
    ("torch.max_unpool", "indices"): ("INDICES", "Indices that the pooling returned with return_indices=True."),
    ("max_unpool_double_backward", "gg"): ("ARRAY", "Gradient of the backward pass's result; has the shape of the pooled values."),
}
UNPOOL_SIZE = ("Sequence[SupportsIndex] | None", "Spatial sizes of the result, or its whole shape. None means the smallest input that pools to this.")


def parameter(function: str, name: str) -> tuple[str, str]:
    """The annotation and the text of a parameter; `function` is the name without its rank, with "torch." in front where that applies."""
    if name == "output_size" and "unpool" in function:
        return UNPOOL_SIZE
    shared = function.removeprefix("torch.").removesuffix("_backward").removesuffix("_double")
    if name == "output_size" and shared == "fractional_max_pool":
        return SPECIAL[shared, name]
    return SPECIAL.get((function, name), PARAMETERS[name])
