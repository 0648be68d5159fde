# Written by generate.py from bindings/python/generator/templates/torch/modules.py: change that file instead.
"""PyTorch's pooling modules, computed by tidepool. Constructors, attributes and text are those of torch.nn."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, nn

from . import functional as F

__all__ = [
    "MaxPool1d", "AvgPool1d", "LPPool1d", "AdaptiveMaxPool1d", "AdaptiveAvgPool1d", "MaxUnpool1d", "MaxPool2d", "AvgPool2d", "LPPool2d",
    "AdaptiveMaxPool2d", "AdaptiveAvgPool2d", "MaxUnpool2d", "FractionalMaxPool2d", "MaxPool3d", "AvgPool3d", "LPPool3d",
    "AdaptiveMaxPool3d", "AdaptiveAvgPool3d", "MaxUnpool3d", "FractionalMaxPool3d",
]


class MaxPool1d(nn.MaxPool1d):
    """torch.nn.MaxPool1d, computed by tidepool.torch.max_pool1d."""

    def forward(self, input: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        return F.max_pool1d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices)


class AvgPool1d(nn.AvgPool1d):
    """torch.nn.AvgPool1d, computed by tidepool.torch.avg_pool1d."""

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)


class LPPool1d(nn.LPPool1d):
    """torch.nn.LPPool1d, computed by tidepool.torch.lp_pool1d."""

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool1d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class AdaptiveMaxPool1d(nn.AdaptiveMaxPool1d):
    """torch.nn.AdaptiveMaxPool1d, computed by tidepool.torch.adaptive_max_pool1d."""

    def forward(self, input: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)


class AdaptiveAvgPool1d(nn.AdaptiveAvgPool1d):
    """torch.nn.AdaptiveAvgPool1d, computed by tidepool.torch.adaptive_avg_pool1d."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool1d(input, self.output_size)


class MaxUnpool1d(nn.MaxUnpool1d):
    """torch.nn.MaxUnpool1d, computed by tidepool.torch.max_unpool1d."""

    def forward(self, input: Tensor, indices: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        return F.max_unpool1d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxPool2d(nn.MaxPool2d):
    """torch.nn.MaxPool2d, computed by tidepool.torch.max_pool2d."""

    def forward(self, input: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        return F.max_pool2d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices)


class AvgPool2d(nn.AvgPool2d):
    """torch.nn.AvgPool2d, computed by tidepool.torch.avg_pool2d."""

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool2d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
                               self.divisor_override)


class LPPool2d(nn.LPPool2d):
    """torch.nn.LPPool2d, computed by tidepool.torch.lp_pool2d."""

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool2d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class AdaptiveMaxPool2d(nn.AdaptiveMaxPool2d):
    """torch.nn.AdaptiveMaxPool2d, computed by tidepool.torch.adaptive_max_pool2d."""

    def forward(self, input: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)  # type: ignore[arg-type]


class AdaptiveAvgPool2d(nn.AdaptiveAvgPool2d):
    """torch.nn.AdaptiveAvgPool2d, computed by tidepool.torch.adaptive_avg_pool2d."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(input, self.output_size)  # type: ignore[arg-type]


class MaxUnpool2d(nn.MaxUnpool2d):
    """torch.nn.MaxUnpool2d, computed by tidepool.torch.max_unpool2d."""

    def forward(self, input: Tensor, indices: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        return F.max_unpool2d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class FractionalMaxPool2d(nn.FractionalMaxPool2d):
    """torch.nn.FractionalMaxPool2d, computed by tidepool.torch.fractional_max_pool2d."""

    def forward(self, input: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        return F.fractional_max_pool2d(input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
                                          self._random_samples)  # type: ignore[arg-type]


class MaxPool3d(nn.MaxPool3d):
    """torch.nn.MaxPool3d, computed by tidepool.torch.max_pool3d."""

    def forward(self, input: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        return F.max_pool3d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices)


class AvgPool3d(nn.AvgPool3d):
    """torch.nn.AvgPool3d, computed by tidepool.torch.avg_pool3d."""

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool3d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
                               self.divisor_override)


class LPPool3d(nn.LPPool3d):
    """torch.nn.LPPool3d, computed by tidepool.torch.lp_pool3d."""

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool3d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class AdaptiveMaxPool3d(nn.AdaptiveMaxPool3d):
    """torch.nn.AdaptiveMaxPool3d, computed by tidepool.torch.adaptive_max_pool3d."""

    def forward(self, input: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        return F.adaptive_max_pool3d(input, self.output_size, self.return_indices)  # type: ignore[arg-type]


class AdaptiveAvgPool3d(nn.AdaptiveAvgPool3d):
    """torch.nn.AdaptiveAvgPool3d, computed by tidepool.torch.adaptive_avg_pool3d."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool3d(input, self.output_size)  # type: ignore[arg-type]


class MaxUnpool3d(nn.MaxUnpool3d):
    """torch.nn.MaxUnpool3d, computed by tidepool.torch.max_unpool3d."""

    def forward(self, input: Tensor, indices: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        return F.max_unpool3d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class FractionalMaxPool3d(nn.FractionalMaxPool3d):
    """torch.nn.FractionalMaxPool3d, computed by tidepool.torch.fractional_max_pool3d."""

    def forward(self, input: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        return F.fractional_max_pool3d(input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
                                          self._random_samples)  # type: ignore[arg-type]
