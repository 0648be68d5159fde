// Exchange of tensors with other libraries, without copies. The only public header that needs <dlpack/dlpack.h>.
#pragma once

#include <dlpack/dlpack.h>

#include "tidepool/export.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

// A view of a DLPack tensor on the CPU, which must outlive it. Throws Error for other devices, more than one lane, or unknown dtypes.
TIDEPOOL_API TensorView view_from_dlpack(const DLTensor& tensor);

// Takes ownership: the deleter runs when the last Tensor that shares the memory is destroyed. When it throws, the caller still owns it.
TIDEPOOL_API Tensor from_dlpack(DLManagedTensor* managed);

// The caller owns the result and destroys it with result->deleter(result). DLPack has no gradients: a tensor that requires them is refused.
TIDEPOOL_API DLManagedTensor* to_dlpack(const Tensor& tensor);

}  // namespace tidepool::inline v0_1
