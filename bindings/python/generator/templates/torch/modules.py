"""PyTorch's pooling modules, computed by tidepool. Constructors, attributes and text are those of torch.nn."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, nn

from . import functional as F


class MaxPoolRANKd(nn.MaxPoolRANKd):
    """torch.nn.MaxPoolRANKd, computed by tidepool.torch.max_poolRANKd."""

    def forward(self, input: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        return F.max_poolRANKd(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices)


class AvgPoolRANKd(nn.AvgPoolRANKd):
    """torch.nn.AvgPoolRANKd, computed by tidepool.torch.avg_poolRANKd."""

    def forward(self, input: Tensor) -> Tensor:
        @1 return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)
        @23 return F.avg_poolRANKd(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
        @23                        self.divisor_override)


class LPPoolRANKd(nn.LPPoolRANKd):
    """torch.nn.LPPoolRANKd, computed by tidepool.torch.lp_poolRANKd."""

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_poolRANKd(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class AdaptiveMaxPoolRANKd(nn.AdaptiveMaxPoolRANKd):
    """torch.nn.AdaptiveMaxPoolRANKd, computed by tidepool.torch.adaptive_max_poolRANKd."""

    def forward(self, input: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        @1 return F.adaptive_max_poolRANKd(input, self.output_size, self.return_indices)
        @23 return F.adaptive_max_poolRANKd(input, self.output_size, self.return_indices)  # type: ignore[arg-type]


class AdaptiveAvgPoolRANKd(nn.AdaptiveAvgPoolRANKd):
    """torch.nn.AdaptiveAvgPoolRANKd, computed by tidepool.torch.adaptive_avg_poolRANKd."""

    def forward(self, input: Tensor) -> Tensor:
        @1 return F.adaptive_avg_poolRANKd(input, self.output_size)
        @23 return F.adaptive_avg_poolRANKd(input, self.output_size)  # type: ignore[arg-type]


class MaxUnpoolRANKd(nn.MaxUnpoolRANKd):
    """torch.nn.MaxUnpoolRANKd, computed by tidepool.torch.max_unpoolRANKd."""

    def forward(self, input: Tensor, indices: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        return F.max_unpoolRANKd(input, indices, self.kernel_size, self.stride, self.padding, output_size)
@23
@23
@23 class FractionalMaxPoolRANKd(nn.FractionalMaxPoolRANKd):
@23     """torch.nn.FractionalMaxPoolRANKd, computed by tidepool.torch.fractional_max_poolRANKd."""
@23
@23     def forward(self, input: Tensor) -> Tensor | tuple[Tensor, Tensor]:
@23         return F.fractional_max_poolRANKd(input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
@23                                           self._random_samples)  # type: ignore[arg-type]
