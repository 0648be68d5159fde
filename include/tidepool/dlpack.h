// Exchange with other array libraries, without copies. Needs DLPack's header, which this file alone includes.
#pragma once

#include <dlpack/dlpack.h>

#include "tidepool/tensor.h"

namespace tidepool {

// Borrows the memory of a DLPack tensor on the CPU. Throws Error for other devices, vector lanes or unknown dtypes.
TensorView view_from_dlpack(const DLTensor& tensor);

// Takes ownership: the deleter runs when the last Tensor sharing the memory goes. After a throw the caller still owns it.
Tensor from_dlpack(DLManagedTensor* managed);

// The caller owns the result and ends it with result->deleter(result).
DLManagedTensor* to_dlpack(const Tensor& tensor);

}  // namespace tidepool
