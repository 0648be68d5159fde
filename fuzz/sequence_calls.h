// The calls that a sequence consists of, with arguments from bytes. All of them throw Error for arguments that do not fit.
#pragma once

#include <array>

#include "fuzz/byte_source.h"
#include "tidepool/tidepool.h"

namespace tidepool::fuzz {

// 1 to `rank` sizes from 0 to 5, mostly above 0.
Dims random_shape(ByteSource& bytes, int max_rank = 5);
DType random_dtype(ByteSource& bytes);

Tensor create(ByteSource& bytes);

// A view or a copy of x: transpose, slice, select, reshape, as_strided, broadcast_to, flatten, contiguous, clone, to.
Tensor view_of(ByteSource& bytes, const Tensor& x);

// An elementwise function, whose bits do not depend on the layout of its arguments.
Tensor elementwise(ByteSource& bytes, const Tensor& a, const Tensor& b);
// A sum or softmax: rounded in an order that may depend on the layout.
Tensor reduction(ByteSource& bytes, const Tensor& x);

// A pooling of any family and rank. Of max poolings with indices, `indices` gets them.
Tensor pool(ByteSource& bytes, const Tensor& x, Tensor& indices);
Tensor unpool(ByteSource& bytes, const Tensor& x, const Tensor& indices);

// add_, mul_, fill_, copy_ and the operators.
void change(ByteSource& bytes, Tensor& x, const Tensor& y);

// A small problem as text, valid or not.
std::string problem_line(ByteSource& bytes);

}  // namespace tidepool::fuzz
