#include "nn/check.h"
#include "nn/onednn.h"
#include "tidepool/nn/functional.h"
#include "tidepool/trace.h"

namespace tidepool::inline v0_1::nn {
namespace {

// oneDNN needs contiguous rows or contiguous columns.
Tensor matrix(const Tensor& x) {
  const bool rows = x.strides()[1] == 1 && x.strides()[0] >= x.size(1);
  const bool columns = x.strides()[0] == 1 && x.strides()[1] >= x.size(0);
  return rows || columns ? x.detach() : x.detach().clone();
}

Tensor product(const Tensor& a, const Tensor& b, const Tensor& bias) {
  Tensor c({a.size(0), b.size(1)});
  if (c.numel() == 0) return c;
  if (a.size(1) == 0) return bias.defined() ? add(zeros(c.shape()), bias.detach()) : zeros(c.shape());
  const Tensor row = bias.defined() ? contiguous(bias.detach()) : Tensor();
  const TensorView row_view = row.view();
  const Tensor left = matrix(a), right = matrix(b);
  onednn::matmul(c.span(), left, right, row.defined() ? &row_view : nullptr);
  return c;
}

void check_matrix(const char* op, const char* name, const Tensor& x) {
  detail::check_f32(op, name, x);
  if (x.rank() != 2)
    throw Error(ErrorCode::shape_mismatch, std::string(op) + ": " + name + " must have 2 dimensions, got " + std::to_string(x.rank()));
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b) {
  check_matrix("matmul", "a", a);
  check_matrix("matmul", "b", b);
  if (a.size(1) != b.size(0))
    throw Error(ErrorCode::shape_mismatch,
                "matmul: columns of a must be as many as rows of b, got " + to_string(a.shape()) + " and " + to_string(b.shape()));
  Tensor value = product(a, b, {});
  if (!recording(a) && !recording(b)) return value;
  return record("matmul", {a, b}, value, [a = Saved(a), b = Saved(b)](const Tensor& g) {
    return Gradients{a.requires_grad() ? matmul(g, b.get().transpose(0, 1)) : Tensor(),
                     b.requires_grad() ? matmul(a.get().transpose(0, 1), g) : Tensor()};
  });
}

namespace {

Tensor linear_of(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  check_matrix("linear", "weight", weight);
  detail::check_f32("linear", "input", x);
  if (x.rank() == 0 || x.size(x.rank() - 1) != weight.size(1))
    throw Error(ErrorCode::shape_mismatch,
                "linear: input must end in " + std::to_string(weight.size(1)) + " features, got " + to_string(x.shape()));
  if (bias.defined()) detail::check_f32_vector("linear", "bias", bias, weight.size(0));
  const Tensor rows = x.rank() == 2 ? x : reshape(x, {x.numel() / std::max<int64_t>(weight.size(1), 1), weight.size(1)});
  Tensor value = product(rows, weight.detach().transpose(0, 1), bias);
  Tensor y = value;
  if (recording(rows) || recording(weight) || recording(bias)) {
    y = record("linear", {rows, weight, bias}, value, [x = Saved(rows), w = Saved(weight), b = bias.requires_grad()](const Tensor& g) {
      return Gradients{x.requires_grad() ? matmul(g, w.get()) : Tensor(), w.requires_grad() ? matmul(g.transpose(0, 1), x.get()) : Tensor(),
                       b ? sum(g, {0}) : Tensor()};
    });
  }
  if (x.rank() == 2) return y;
  Dims shape = x.shape();
  shape[shape.rank - 1] = weight.size(0);
  return reshape(y, shape);
}

}  // namespace

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return tidepool::detail::traced(
      "linear", {&x, &weight, &bias}, [] { return std::vector<CallOption>(); }, [&] { return linear_of(x, weight, bias); });
}

}  // namespace tidepool::inline v0_1::nn
