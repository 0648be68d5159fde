#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

void show(const char* name, const tp::Tensor& x) { std::cout << name << " " << x.shape() << ": " << tp::flatten(x, 0) << "\n"; }

int main() {
  std::cout << std::boolalpha;
  auto a = tp::tensor({{1, 2}, {3, 4}});
  auto b = tp::tensor({10, 20});
  show("a + b     ", a + b);  // b is broadcast over the rows
  show("a - b     ", a - b);
  show("a * b     ", a * b);
  show("a / b     ", a / b);
  show("3 - a / 2 ", 3 - a / 2);
  show("neg, exp  ", tp::exp(-a));
  show("log, sqrt ", tp::log(tp::sqrt(a)));
  show("pow       ", tp::pow(a, 2));

  auto x = tp::tensor({-2, -1, 0, 1, 2});
  show("relu      ", tp::relu(x));
  show("leaky_relu", tp::leaky_relu(x, 0.1));
  show("sigmoid   ", tp::sigmoid(x));
  show("tanh      ", tp::tanh(x));
  show("gelu      ", tp::gelu(x));

  std::cout << "sum " << tp::sum(a).item() << ", mean " << tp::mean(a).item() << "\n";
  show("sum of rows ", tp::sum(a, {1}));
  show("mean, kept  ", tp::mean(a, {0}, /*keepdim=*/true));
  show("concat      ", tp::concat({a, tp::reshape(b, {1, -1})}, 0));
  show("flatten     ", tp::flatten(a, 0));
  show("broadcast_to", tp::broadcast_to(b, {2, 2}));
  show("contiguous  ", tp::contiguous(a.transpose(0, 1)));

  auto targets = tp::tensor({1, 0}, tp::DType::i64);
  show("softmax     ", tp::softmax(a, 1));
  std::cout << "nll_loss " << tp::nll_loss(tp::log_softmax(a, 1), targets).item() << ", cross_entropy "
            << tp::cross_entropy(a, targets).item() << ", mse_loss " << tp::mse_loss(a, a + 2).item() << "\n";
  show("argmax      ", tp::argmax(a));

  // Comparisons work element by element; equal and allclose answer once.
  show("a >= 2      ", a >= 2);
  show("a == 3      ", a == 3);
  std::cout << "equal " << tp::equal(a, a + 1e-6) << ", allclose " << tp::allclose(a, a + 1e-6) << "\n";

  // Rows, elements and views.
  show("a[1]        ", a[1]);
  show("a[1][0]     ", a[1][0]);
  show("slice       ", a.slice(1, 0, 1));

  // Operators that assign, and functions that end in _, work in place.
  tp::fill_(a, 1);
  tp::add_(a, tp::broadcast_to(b, {2, 2}), /*factor=*/0.5);
  a *= 2;
  show("in place    ", a);
}
