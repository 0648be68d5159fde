"""Max unpooling."""

from __future__ import annotations

from . import _core
from ._family import plain, publish

__all__: list[str] = []


def family(rank):
    def max_unpool(input, indices, kernel_size, stride=None, padding=0, output_size=None, *, dilation=1, index_base=None, preset=None,
                   out=None):
        """Values back to the cells they came from, zeros elsewhere. The options are those of the pooling that is undone.

        output_size  the sizes of the result, or its whole shape; None: the smallest input that pools to this
        An index outside its plane is refused before anything is written.

        >>> import numpy as np, tidepool
        >>> x = np.arange(4.0 ** RANK).reshape(1, 1, *[4] * RANK)
        >>> y, where = tidepool.max_poolRANKd(x, 2, return_indices=True)
        >>> bool((tidepool.NAME(y, where, 2) == np.where(np.isin(x, y), x, 0)).all())
        True
        """
        return _core.max_unpool(rank, plain(input), indices, out,
                                (kernel_size, stride, padding, dilation, output_size, index_base, preset))

    def max_unpool_backward(grad, indices, kernel_size, stride=None, padding=0, output_size=None, *, dilation=1, index_base=None,
                            preset=None, out=None):
        """The gradient of the pooled values: what lies in `grad`, which has the unpooled shape, at the indices."""
        size = output_size if output_size is not None else tuple(grad.shape)[-rank:]
        return _core.max_unpool_backward(rank, plain(grad), indices, out,
                                         (kernel_size, stride, padding, dilation, size, index_base, preset))

    def max_unpool_double_backward(gg, indices, kernel_size, stride=None, padding=0, output_size=None, *, dilation=1, index_base=None,
                                   preset=None, out=None):
        """The gradient of the unpooled gradient: `gg`, which has the pooled shape, added up at the indices."""
        return _core.max_unpool_double_backward(rank, plain(gg), indices, out,
                                                (kernel_size, stride, padding, dilation, output_size, index_base, preset))

    return max_unpool, max_unpool_backward, max_unpool_double_backward


for rank in (1, 2, 3):
    publish(globals(), rank, *family(rank))
