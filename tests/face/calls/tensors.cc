// Tensors in a user's hands: made, read, printed, compared, added, sliced, drawn at random.
#include <tidepool/tidepool.h>

#include <sstream>
#include <utility>

#include "check.h"
#include "programs.h"

using namespace tidepool;

namespace face {

namespace {

void made() {
  check_values(tensor({{1, 2, 3}, {4, 5, 6}}), {2, 3}, {1, 2, 3, 4, 5, 6});
  check_values(tensor({1.5, 2}), {2}, {1.5, 2});
  check_values(tensor(3), {}, {3});
  check_values(tensor({1, 2}, DType::i64), {2}, {1, 2});
  check(tensor({1, 2}, DType::i64).dtype() == DType::i64 && tensor({true, false}).dtype() == DType::f32, "dtypes");
  check_values(tensor({{{{1}}}}), {1, 1, 1, 1}, {1});
  check_values(zeros({2}), {2}, {0, 0});
  check_values(ones({2, 1}, DType::f64), {2, 1}, {1, 1});
  check_values(full({2}, 7), {2}, {7, 7});
  check_values(arange({2, 2}), {2, 2}, {0, 1, 2, 3});
  check_values(Tensor::from<double>({2}, {1, 2}), {2}, {1, 2});
  check(!Tensor().defined() && Tensor({2, 3}).defined() && Tensor({2, 3}).numel() == 6, "defined");
}

void read_and_written() {
  Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  check(x.item({1, 2}) == 6 && x[1][2].item() == 6 && x.index({1, 2}).item<float>() == 6, "an element");
  check_values(x[1], {3}, {4, 5, 6});
  check_values(x[-1], {3}, {4, 5, 6});
  check_values(x.select(1, 0), {2}, {1, 4});
  check_values(x.slice(1, 0, 2), {2, 2}, {1, 2, 4, 5});
  check_values(x.transpose(0, 1).clone(), {3, 2}, {1, 4, 2, 5, 3, 6});
  check_values(x.reshape({3, 2}), {3, 2}, {1, 2, 3, 4, 5, 6});
  check_values(reshape(x, {3, -1}), {3, 2}, {1, 2, 3, 4, 5, 6});
  check(x.size(0) == 2 && x.size(-1) == 3 && x.shape()[-1] == 3 && x.rank() == 2, "sizes");
  float sum = 0;
  for (float f : std::as_const(x).flat<float>()) sum += f;
  check(sum == 21, "a loop over flat");
  for (float& f : x.flat<float>()) f *= 2;
  check_values(x, {2, 3}, {2, 4, 6, 8, 10, 12});
  x.data<float>()[0] = 7;
  check(x[0][0].item() == 7, "written through data");
  int64_t product = 1;
  for (int64_t size : x.shape()) product *= size;
  check(product == 6, "a loop over a shape");
  const TensorView view = x;
  check(view.rank() == 2 && view.data_as<float>()[0] == 7, "a view of a named tensor");
  check_throws([&] { x.data<double>(); }, "f32");
  check_throws([&] { x[2]; }, "2");
  const Tensor transposed = x.transpose(0, 1);
  check_throws([&] { transposed.flat<float>(); }, "contiguous");
}

void printed() {
  std::ostringstream out;
  out << tensor({{1, 2}, {3, 4.5}}) << '|' << Dims{2, 3};
  check(out.str() == to_string(tensor({{1, 2}, {3, 4.5}})) + "|2x3", "<< and to_string");
  check(to_string(tensor({{1, 2}, {3, 4.5}})).find("4.5") != std::string::npos, "the elements are printed");
  std::ostringstream view;
  const Tensor x = tensor({1, 2});
  view << x.view();
  check(view.str() == to_string(x), "a view prints as its tensor");
}

void arithmetic() {
  const Tensor a = tensor({1, 2, 3}), b = tensor({4, 5, 6}), column = tensor({{10}, {20}});
  check_values(a + b, {3}, {5, 7, 9});
  check_values(a - b, {3}, {-3, -3, -3});
  check_values(a * b, {3}, {4, 10, 18});
  check_values(b / a, {3}, {4, 2.5, 2});
  check_values(-a, {3}, {-1, -2, -3});
  check_values(a + 1, {3}, {2, 3, 4});
  check_values(1 + a, {3}, {2, 3, 4});
  check_values(1 - a, {3}, {0, -1, -2});
  check_values(a - 0.5, {3}, {0.5, 1.5, 2.5});
  check_values(2 * a, {3}, {2, 4, 6});
  check_values(a * 2.5f, {3}, {2.5, 5, 7.5});
  check_values(a / 2, {3}, {0.5, 1, 1.5});
  check_values(a + column, {2, 3}, {11, 12, 13, 21, 22, 23});
  check_values((a + b) * 2 - a, {3}, {9, 12, 15});
  Tensor c = a.clone();
  c += b;
  c -= a;
  c *= 3;
  c /= 2;
  check_values(c, {3}, {6, 7.5, 9});
  check_values(a, {3}, {1, 2, 3});
  check_values(sum(a), {}, {6});
  check_values(mean(column, {0}), {1}, {15});
  check_values(relu(a - 2), {3}, {0, 0, 1});
  check_values(sqrt(a * a), {3}, {1, 2, 3});
  check_values(concat({a, b}, 0), {6}, {1, 2, 3, 4, 5, 6});
}

void compared() {
  const Tensor a = tensor({1, 2, 3}), b = tensor({1, 5, 2});
  check((a == b).dtype() == DType::boolean, "comparisons give bool tensors");
  check_values(a == b, {3}, {1, 0, 0});
  check_values(a != b, {3}, {0, 1, 1});
  check_values(a < b, {3}, {0, 1, 0});
  check_values(a >= b, {3}, {1, 0, 1});
  check_values(a > 1, {3}, {0, 1, 1});
  check_values(a <= 2.5, {3}, {1, 1, 0});
  check(equal(a, a.clone()) && !equal(a, b) && !equal(a, a.reshape({3, 1})), "equal");
  check(allclose(a, a + 1e-7) && !allclose(a, a + 1) && allclose(a, a + 1, {.atol = 2}), "allclose");
}

void random() {
  manual_seed(5);
  const Tensor a = randn({100}), b = randn({100});
  manual_seed(5);
  check(equal(a, randn({100})) && equal(b, randn({100})) && !equal(a, b), "manual_seed starts the same numbers again");
  check(equal(randn({100}, 7), randn({100}, 7)) && !equal(randn({100}, 7), randn({100}, 8)), "a seed gives the same numbers");
  check(equal(rand({100}, 7u), rand({100}, uint64_t{7})), "seeds of several types");
  check(randn({2, 3}, DType::f64).dtype() == DType::f64 && rand({2}, 1, DType::u8).dtype() == DType::u8, "dtypes of random tensors");
  const Tensor uniform = rand({100});
  for (float f : uniform.flat<float>()) check(f >= 0 && f < 1, "uniform in [0, 1)");
}

}  // namespace

void tensors() {
  made();
  read_and_written();
  printed();
  arithmetic();
  compared();
  random();
}

}  // namespace face
