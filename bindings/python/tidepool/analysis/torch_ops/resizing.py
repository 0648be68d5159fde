"""Interpolation, and layers that move channels into the plane and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from ..torch_network import Call, Value


def upsample(call: Call) -> Optional[Value]:
    x = call.first
    out = call.shape[2:]
    scales = call.get("scale_factors") or [call.get(name) for name in ("scales", "scales_d", "scales_h", "scales_w") if name in call.arguments]
    for scale, size, resized in zip([s for s in scales if s is not None], x.shape[-len(out):], out):
        if size * scale != resized:
            return None  # PyTorch then computes with the factor, not with the ratio of the sizes
    options: dict[str, Any] = {"output_size": list(out)}
    if "nearest_exact" in call.name:
        options.update(mode="nearest", coordinates="half_pixel", rounding="round_up")
    elif "nearest" in call.name:
        options.update(mode="nearest", coordinates="asymmetric", rounding="floor")
    else:
        options.update(mode="cubic" if "cubic" in call.name else "linear",
                       coordinates="align_corners" if call["align_corners"] else "half_pixel")
    return call.add("resize", [x], options, function="upsample")


def pixel_shuffle(call: Call) -> Value:
    """A cell sees one cell of the smaller plane, and of its channels the r * r next to each other that become one."""
    x, r = call["self"], call["upscale_factor"]
    *batch, channels, height, width = x.shape
    split = call.add("reshape", [x], {"shape": (_count(batch), channels // (r * r), r * r, height, width)}, part="split")
    joined = call.add("reduce", [split], {"function": "pixel_shuffle", "dims": [2], "keepdim": False}, part="join")
    large = call.add("resize", [joined], {"output_size": [height * r, width * r]}, part="spread" if len(batch) != 1 else "")
    return large if len(batch) == 1 else call.add("reshape", [large], {"shape": call.shape})


def pixel_unshuffle(call: Call) -> Value:
    """The r * r cells of a block become channels: as many slices of the plane, side by side."""
    x, r = call["self"], call["downscale_factor"]
    *batch, channels, height, width = x.shape
    parts = []
    for row in range(r):
        rows = call.add("slice", [x], {"dim": len(batch) + 1, "begin": row, "end": height, "step": r}, part="rows")
        for column in range(r):
            cells = call.add("slice", [rows], {"dim": len(batch) + 2, "begin": column, "end": width, "step": r}, part="columns")
            parts.append(call.add("reshape", [cells], {"shape": (_count(batch), channels, 1, height // r, width // r)}, part="part"))
    joined = call.add("concat", parts, {"dim": 2}, part="join")
    return call.add("reshape", [joined], {"shape": call.shape})


def channel_shuffle(call: Call) -> Value:
    x, groups = call["self"], call["groups"]
    batch, channels, *plane = x.shape
    split = call.add("reshape", [x], {"shape": (batch, groups, channels // groups, *plane)}, part="split")
    order = [0, 2, 1, *range(3, 3 + len(plane))]
    return call.add("reshape", [call.add("transpose", [split], {"order": order}, part="transpose")], {"shape": x.shape})


def _count(batch: list[int]) -> int:
    count = 1
    for size in batch:
        count *= size
    return count


CONVERTERS: dict[str, Callable[[Call], Any]] = {
    **{f"upsample_nearest{rank}d": upsample for rank in (1, 2, 3)}, **{f"_upsample_nearest_exact{rank}d": upsample for rank in (1, 2, 3)},
    "upsample_linear1d": upsample, "upsample_bilinear2d": upsample, "upsample_trilinear3d": upsample, "upsample_bicubic2d": upsample,
    "pixel_shuffle": pixel_shuffle, "pixel_unshuffle": pixel_unshuffle, "channel_shuffle": channel_shuffle,
}
