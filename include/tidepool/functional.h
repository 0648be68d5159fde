// Functions of tensors beside pooling. Those of tensors that require gradients are recorded (autograd.h). See docs/autograd.md.
#pragma once

#include <vector>

#include "tidepool/autograd.h"
#include "tidepool/options.h"
#include "tidepool/tensor.h"

namespace tidepool {

// ---- elementwise. Dtypes must agree; shapes broadcast as NumPy's do. add, sub, mul and neg take integers too, which wrap; the others are
// for floating dtypes. ----------------------------------------------------------------------------------------------------------------

Tensor add(const Tensor& a, const Tensor& b);
Tensor sub(const Tensor& a, const Tensor& b);
Tensor mul(const Tensor& a, const Tensor& b);
Tensor div(const Tensor& a, const Tensor& b);
Tensor add(const Tensor& a, double b);
Tensor mul(const Tensor& a, double b);
Tensor neg(const Tensor& x);
Tensor exp(const Tensor& x);
Tensor log(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor pow(const Tensor& x, double exponent);

inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
inline Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
inline Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
inline Tensor operator+(const Tensor& a, double b) { return add(a, b); }
inline Tensor operator+(double a, const Tensor& b) { return add(b, a); }
inline Tensor operator-(const Tensor& a, double b) { return add(a, -b); }
inline Tensor operator-(double a, const Tensor& b) { return add(neg(b), a); }
inline Tensor operator*(const Tensor& a, double b) { return mul(a, b); }
inline Tensor operator*(double a, const Tensor& b) { return mul(b, a); }
inline Tensor operator/(const Tensor& a, double b) { return mul(a, 1 / b); }
inline Tensor operator-(const Tensor& x) { return neg(x); }

// ---- comparisons, as bool tensors: x == y compares element by element. `if` needs one answer: equal or allclose. ---------------------

Tensor eq(const Tensor& a, const Tensor& b);
Tensor ne(const Tensor& a, const Tensor& b);
Tensor lt(const Tensor& a, const Tensor& b);
Tensor le(const Tensor& a, const Tensor& b);
Tensor gt(const Tensor& a, const Tensor& b);
Tensor ge(const Tensor& a, const Tensor& b);
Tensor eq(const Tensor& a, double b);
Tensor ne(const Tensor& a, double b);
Tensor lt(const Tensor& a, double b);
Tensor le(const Tensor& a, double b);
Tensor gt(const Tensor& a, double b);
Tensor ge(const Tensor& a, double b);

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

// The same shape, dtype and elements.
bool equal(const Tensor& a, const Tensor& b);

struct AllcloseOptions {
  NamedOnly named_only = NamedOnly::fields();
  double rtol = 1e-5;
  double atol = 1e-8;
  Flag equal_nan = false;
};

// |a - b| <= atol + rtol * |b| for all elements.
bool allclose(const Tensor& a, const Tensor& b, const AllcloseOptions& options = {});

Tensor relu(const Tensor& x);
Tensor leaky_relu(const Tensor& x, double negative_slope = 0.01);
Tensor sigmoid(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor gelu(const Tensor& x);  // x times the normal distribution's Φ(x)

// ---- in place: refused while x or y is recorded -------------------------------------------------------------------------------------

// NOLINTBEGIN(readability-identifier-naming): PyTorch's mark for a change in place
Tensor& add_(Tensor& x, const Tensor& y, double factor = 1);  // x += factor * y, of equal shapes
Tensor& mul_(Tensor& x, double factor);
Tensor& fill_(Tensor& x, double value);
Tensor& copy_(Tensor& x, const Tensor& from);
// NOLINTEND(readability-identifier-naming)

inline Tensor& operator+=(Tensor& x, const Tensor& y) { return add_(x, y); }
inline Tensor& operator-=(Tensor& x, const Tensor& y) { return add_(x, y, -1); }
inline Tensor& operator*=(Tensor& x, double factor) { return mul_(x, factor); }
inline Tensor& operator/=(Tensor& x, double divisor) { return mul_(x, 1 / divisor); }

// ---- sums --------------------------------------------------------------------------------------------------------------------------

Tensor sum(const Tensor& x);  // one element, of shape {}
Tensor sum(const Tensor& x, const std::vector<int>& dims, Flag keepdim = false);
Tensor mean(const Tensor& x);
Tensor mean(const Tensor& x, const std::vector<int>& dims, Flag keepdim = false);

// ---- shapes ------------------------------------------------------------------------------------------------------------------------

Tensor reshape(const Tensor& x, const Dims& shape);             // one size may be -1; copies if x is not contiguous
Tensor flatten(const Tensor& x, int first = 1, int last = -1);  // these dims as one
Tensor contiguous(const Tensor& x);                             // x itself if it is row-major
Tensor broadcast_to(const Tensor& x, const Dims& shape);        // a view
Tensor concat(const std::vector<Tensor>& parts, int dim);
// Zeros of `shape` with g where slice(dim, start, stop, step) reads.
Tensor slice_backward(const Tensor& g, const Dims& shape, int dim, int64_t start, int64_t stop, int64_t step = 1);

// ---- probabilities and losses ------------------------------------------------------------------------------------------------------

Tensor softmax(const Tensor& x, int dim);
Tensor log_softmax(const Tensor& x, int dim);

enum class LossReduction : uint8_t { none, mean, sum };

struct CrossEntropyOptions {
  NamedOnly named_only = NamedOnly::fields();
  LossReduction reduction = LossReduction::mean;
  int64_t ignore_index = -100;  // targets that do not count
};

// x is N, classes, …; targets are the i64 class numbers, of shape N, ….
Tensor nll_loss(const Tensor& log_probabilities, const Tensor& targets, const CrossEntropyOptions& options = {});
Tensor cross_entropy(const Tensor& x, const Tensor& targets, const CrossEntropyOptions& options = {});
Tensor mse_loss(const Tensor& x, const Tensor& target, LossReduction reduction = LossReduction::mean);

// The class with the largest value in every row of an N, classes tensor, as i64.
Tensor argmax(const Tensor& x);

}  // namespace tidepool
