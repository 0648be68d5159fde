// Functions of tensors other than pooling. Calls with tensors that require gradients are recorded (autograd.h). See docs/autograd.md.
#pragma once

#include <vector>

#include "tidepool/autograd.h"
#include "tidepool/export.h"
#include "tidepool/options.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

// ---- elementwise -------------------------------------------------------------------------------------------------------------------

// Dtypes must be equal; shapes broadcast as in NumPy. add, sub, mul and neg also accept integer dtypes, which wrap; the others need a
// floating dtype.

TIDEPOOL_API Tensor add(const Tensor& a, const Tensor& b);
TIDEPOOL_API Tensor sub(const Tensor& a, const Tensor& b);
TIDEPOOL_API Tensor mul(const Tensor& a, const Tensor& b);
TIDEPOOL_API Tensor div(const Tensor& a, const Tensor& b);
TIDEPOOL_API Tensor add(const Tensor& a, double b);
TIDEPOOL_API Tensor sub(const Tensor& a, double b);
TIDEPOOL_API Tensor div(const Tensor& a, double b);
TIDEPOOL_API Tensor mul(const Tensor& a, double b);
TIDEPOOL_API Tensor neg(const Tensor& x);
TIDEPOOL_API Tensor exp(const Tensor& x);
TIDEPOOL_API Tensor log(const Tensor& x);
TIDEPOOL_API Tensor sqrt(const Tensor& x);
TIDEPOOL_API Tensor pow(const Tensor& x, double exponent);

inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
inline Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
inline Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
inline Tensor operator+(const Tensor& a, double b) { return add(a, b); }
inline Tensor operator+(double a, const Tensor& b) { return add(b, a); }
inline Tensor operator-(const Tensor& a, double b) { return sub(a, b); }
inline Tensor operator-(double a, const Tensor& b) { return add(neg(b), a); }
inline Tensor operator*(const Tensor& a, double b) { return mul(a, b); }
inline Tensor operator*(double a, const Tensor& b) { return mul(b, a); }
inline Tensor operator/(const Tensor& a, double b) { return div(a, b); }
inline Tensor operator-(const Tensor& x) { return neg(x); }

// ---- comparisons -------------------------------------------------------------------------------------------------------------------

// Elementwise: x == y is a bool tensor. For a single bool, for example in an if, use equal or allclose.

TIDEPOOL_API Tensor eq(const Tensor& a, const Tensor& b);
TIDEPOOL_API Tensor ne(const Tensor& a, const Tensor& b);
TIDEPOOL_API Tensor lt(const Tensor& a, const Tensor& b);
TIDEPOOL_API Tensor le(const Tensor& a, const Tensor& b);
TIDEPOOL_API Tensor gt(const Tensor& a, const Tensor& b);
TIDEPOOL_API Tensor ge(const Tensor& a, const Tensor& b);
TIDEPOOL_API Tensor eq(const Tensor& a, double b);
TIDEPOOL_API Tensor ne(const Tensor& a, double b);
TIDEPOOL_API Tensor lt(const Tensor& a, double b);
TIDEPOOL_API Tensor le(const Tensor& a, double b);
TIDEPOOL_API Tensor gt(const Tensor& a, double b);
TIDEPOOL_API Tensor ge(const Tensor& a, double b);

inline Tensor operator==(const Tensor& a, const Tensor& b) { return eq(a, b); }
inline Tensor operator!=(const Tensor& a, const Tensor& b) { return ne(a, b); }
inline Tensor operator<(const Tensor& a, const Tensor& b) { return lt(a, b); }
inline Tensor operator<=(const Tensor& a, const Tensor& b) { return le(a, b); }
inline Tensor operator>(const Tensor& a, const Tensor& b) { return gt(a, b); }
inline Tensor operator>=(const Tensor& a, const Tensor& b) { return ge(a, b); }
inline Tensor operator==(const Tensor& a, double b) { return eq(a, b); }
inline Tensor operator!=(const Tensor& a, double b) { return ne(a, b); }
inline Tensor operator<(const Tensor& a, double b) { return lt(a, b); }
inline Tensor operator<=(const Tensor& a, double b) { return le(a, b); }
inline Tensor operator>(const Tensor& a, double b) { return gt(a, b); }
inline Tensor operator>=(const Tensor& a, double b) { return ge(a, b); }
inline Tensor operator==(double a, const Tensor& b) { return eq(b, a); }
inline Tensor operator!=(double a, const Tensor& b) { return ne(b, a); }
inline Tensor operator<(double a, const Tensor& b) { return gt(b, a); }
inline Tensor operator<=(double a, const Tensor& b) { return ge(b, a); }
inline Tensor operator>(double a, const Tensor& b) { return lt(b, a); }
inline Tensor operator>=(double a, const Tensor& b) { return le(b, a); }

// True if shapes, dtypes and all elements are equal. NaN is not equal to NaN.
TIDEPOOL_API bool equal(const Tensor& a, const Tensor& b);

struct AllcloseOptions {
  NamedOnly named_only = NamedOnly::fields();
  double rtol = 1e-5;
  double atol = 1e-8;
  Flag equal_nan = false;
};

// True if |a - b| <= atol + rtol * |b| for all elements. Shapes broadcast.
TIDEPOOL_API bool allclose(const Tensor& a, const Tensor& b, const AllcloseOptions& options = {});

// ---- activations -------------------------------------------------------------------------------------------------------------------

TIDEPOOL_API Tensor relu(const Tensor& x);
TIDEPOOL_API Tensor leaky_relu(const Tensor& x, double negative_slope = 0.01);
TIDEPOOL_API Tensor sigmoid(const Tensor& x);
TIDEPOOL_API Tensor tanh(const Tensor& x);
TIDEPOOL_API Tensor gelu(const Tensor& x);  // x Φ(x), where Φ is the cumulative distribution function of the normal distribution

// ---- in place ----------------------------------------------------------------------------------------------------------------------

// Floating dtypes only, except copy_. Throws Error if x or y requires gradients, unless under NoGrad.

// NOLINTBEGIN(readability-identifier-naming): PyTorch marks in-place functions with a trailing underscore
TIDEPOOL_API Tensor& add_(Tensor& x, const Tensor& y, double factor = 1);  // x += factor * y; shapes must be equal
TIDEPOOL_API Tensor& mul_(Tensor& x, double factor);
TIDEPOOL_API Tensor& fill_(Tensor& x, double value);
TIDEPOOL_API Tensor& copy_(Tensor& x, const Tensor& from);
// NOLINTEND(readability-identifier-naming)

inline Tensor& operator+=(Tensor& x, const Tensor& y) { return add_(x, y); }
inline Tensor& operator-=(Tensor& x, const Tensor& y) { return add_(x, y, -1); }
inline Tensor& operator*=(Tensor& x, double factor) { return mul_(x, factor); }
inline Tensor& operator/=(Tensor& x, double divisor) { return mul_(x, 1 / divisor); }

// ---- sums --------------------------------------------------------------------------------------------------------------------------

// Floating dtypes only. f32, f16 and bf16 are added up in f64 and rounded once.

TIDEPOOL_API Tensor sum(const Tensor& x);  // of all elements; the result has shape {}
TIDEPOOL_API Tensor sum(const Tensor& x, const std::vector<int>& dims, Flag keepdim = false);
TIDEPOOL_API Tensor mean(const Tensor& x);
TIDEPOOL_API Tensor mean(const Tensor& x, const std::vector<int>& dims, Flag keepdim = false);

// ---- shapes ------------------------------------------------------------------------------------------------------------------------

TIDEPOOL_API Tensor reshape(const Tensor& x,
                            const Dims& shape);  // one size may be -1: it is computed from the others; copies if x is not contiguous
TIDEPOOL_API Tensor flatten(const Tensor& x, int first = 1, int last = -1);  // merges dims first to last into one
TIDEPOOL_API Tensor contiguous(const Tensor& x);                             // x itself if it is row-major, else a copy
TIDEPOOL_API Tensor broadcast_to(const Tensor& x, const Dims& shape);        // a view with stride 0 along the repeated dims
TIDEPOOL_API Tensor concat(const std::vector<Tensor>& parts, int dim);
// The backward pass of slice: a tensor of zeros with shape `shape`, in which slice(dim, start, stop, step) is g.
TIDEPOOL_API Tensor slice_backward(const Tensor& g, const Dims& shape, int dim, int64_t start, int64_t stop, int64_t step = 1);

// ---- probabilities and losses ------------------------------------------------------------------------------------------------------

TIDEPOOL_API Tensor softmax(const Tensor& x, int dim);
TIDEPOOL_API Tensor log_softmax(const Tensor& x, int dim);

enum class LossReduction : uint8_t { none, mean, sum };

struct CrossEntropyOptions {
  NamedOnly named_only = NamedOnly::fields();
  LossReduction reduction = LossReduction::mean;
  int64_t ignore_index = -100;  // elements with this target have loss 0 and do not count in the mean
};

// The inputs have shape N, classes, …. Targets are class numbers from 0 on, i64, with shape N, ….
TIDEPOOL_API Tensor nll_loss(const Tensor& log_probabilities, const Tensor& targets, const CrossEntropyOptions& options = {});
TIDEPOOL_API Tensor cross_entropy(const Tensor& x, const Tensor& targets, const CrossEntropyOptions& options = {});
TIDEPOOL_API Tensor mse_loss(const Tensor& x, const Tensor& target, LossReduction reduction = LossReduction::mean);

// For a tensor of shape N, classes: the index of the largest value of each row, as i64.
TIDEPOOL_API Tensor argmax(const Tensor& x);

}  // namespace tidepool::inline v0_1
