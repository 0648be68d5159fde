"""The types in the signatures of the package's functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, SupportsIndex, TypeVar, Union

if TYPE_CHECKING:
    import numpy as np

    # The indices of NumPy arrays are integers, whatever the dtype of the input.
    NumpyIndices = np.ndarray[tuple[Any, ...], np.dtype[np.integer[Any]]]
else:
    NumpyIndices = "np.ndarray"  # so that the package loads without NumPy


class DLPackArray(Protocol):
    """An array that can be exchanged through DLPack: numpy.ndarray, torch.Tensor and those of most other libraries.

    Plain buffers such as memoryview work at run time too; numpy.asarray turns them into arrays that a type checker accepts.
    """

    @property
    def shape(self) -> Sequence[int]: ...

    def __dlpack__(self) -> Any: ...

    def __dlpack_device__(self) -> tuple[Any, Any]: ...


# The type of the input, and so of the result.
Array = TypeVar("Array", bound=DLPackArray)
# The same for NumPy arrays, whose type includes the dtype.
NumpyArray = TypeVar("NumpyArray", bound="np.ndarray[Any, Any]")

Size = Union[SupportsIndex, Sequence[SupportsIndex]]
OutputSize = Union[SupportsIndex, Sequence[Union[SupportsIndex, None]]]
Padding = Union[
    SupportsIndex,
    Sequence[Union[SupportsIndex, tuple[SupportsIndex, SupportsIndex]]],
    Literal["same", "same_upper", "same_lower", "valid"],
]
CeilMode = Union[bool, Literal["floor", "ceil", "ceil_full"]]
CountPad = Union[bool, Literal["window_in_padded", "full_kernel", "valid_only"]]
Nan = Literal["propagate", "ignore"]
IndexBase = Literal["plane", "tensor", "window"]
Preset = Literal["torch", "onnx", "tensorflow", "caffe"]
Rounding = Literal["truncate", "floor", "nearest_even"]
