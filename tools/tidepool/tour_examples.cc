#include <chrono>
#include <thread>
#include <vector>

#include "grid.h"
#include "reference/compare.h"
#include "shape_notes.h"
#include "tidepool/creation.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/problem.h"
#include "tour.h"

namespace tidepool::cli {

namespace {

Tensor first_example() { return tensor({{{1, 3, 2, 1}, {4, 2, 1, 0}, {5, 6, 1, 2}, {7, 8, 3, 4}}}); }

// A 1, H, W tensor with one digit per element, from rows of digits.
Tensor digits(std::initializer_list<const char*> rows) {
  std::vector<float> cells;
  for (const char* row : rows)
    for (; *row != '\0'; ++row) cells.push_back(static_cast<float>(*row - '0'));
  const auto height = static_cast<int64_t>(rows.size());
  return Tensor::from<float>({1, height, static_cast<int64_t>(cells.size()) / height}, std::span<const float>(cells));
}

}  // namespace

void Tour::examples() {
  windows_one_by_one();
  indices_and_gradient();
  dropped_cells();
  more_planes();
  shapes();
}

void Tour::windows_one_by_one() {
  const Tensor x = first_example();
  const Tensor y = max_pool2d(x, 2);
  out_ << "1. A window strides across a grid\n\n"
          "Max pooling with kernel_size 2: the window covers 2x2 cells, moves by 2, and\n"
          "leaves the largest value behind.\n\n";
  for (int64_t o = 0; o < 4; ++o) {
    const int64_t row = o / 2 * 2, column = o % 2 * 2;
    const auto in_window = [&](int64_t r, int64_t c) { return r / 2 * 2 == row && c / 2 * 2 == column ? Mark::window : Mark::none; };
    const auto so_far = [&](int64_t r, int64_t c) { return r * 2 + c > o ? Mark::unknown : r * 2 + c == o ? Mark::window : Mark::none; };
    std::string values;
    for (int64_t i = 0; i < 4; ++i) values += reference::show_cell(x, {0, row + i / 2, column + i % 2}) + (i < 3 ? " " : "");
    const Block text = draw_text({"", "max(" + values + ") = " + reference::show_cell(y, {0, o / 2, o % 2})});
    print_beside(out_, {draw_grid(x[0], in_window, colour_), text, draw_grid(y[0], so_far, colour_)});
    out_ << "\n" << std::flush;
    if (live_) std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  expect("example 1", y, {4, 2, 8, 4});
}

void Tour::indices_and_gradient() {
  const Tensor x = first_example();
  const auto [values, indices] = max_pool2d_with_indices(x, 2);
  const Tensor gradient = max_pool2d_backward(ones(values.shape()), indices, x.shape(), {.kernel_size = 2});
  out_ << "2. Where each maximum came from, and where the gradient goes\n\n"
          "The index counts the cells of a plane row by row. In the backward pass each\n"
          "maximum passes its gradient to the one cell that it came from; all other cells\n"
          "get zero.\n\n";
  const auto winner = [&](int64_t r, int64_t c) { return reference::cell_value(gradient, {0, r, c}) != 0 ? Mark::window : Mark::none; };
  print_beside(out_,
               {draw_grid(x[0], winner, colour_), draw_text({"indices"}), draw_grid(indices[0]), draw_text({"gradient"}),
                draw_grid(gradient[0], winner, colour_)},
               2);
  out_ << "\n";
  expect("indices of example 1", indices, {4, 2, 13, 15});
  expect("gradient of example 1", gradient, {0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1});
}

void Tour::dropped_cells() {
  const Tensor x = digits({"3141592", "6535897", "9323846", "2643383", "2795028", "8419716", "9399999"});
  const Tensor y = max_pool2d(x, 2);
  WindowOptions window;
  window.kernel_size = Extent<2>(2);
  const Geometry geometry = Geometry::windowed("max_pool2d", 2, x.shape(), window).value();
  const int64_t read_rows = 7 - geometry.height().dropped(), read_columns = 7 - geometry.width().dropped();
  out_ << "3. Why the last row and column vanish\n\n"
          "7x7 with kernel_size 2: three windows fit along each side, and 3 x 2 = 6. The\n"
          "seventh row and column, marked here, are read by no window, whatever they hold.\n"
          "ceil_mode = true adds windows that hang over the edge.\n\n";
  const auto lost = [&](int64_t r, int64_t c) { return r >= read_rows || c >= read_columns ? Mark::dropped : Mark::none; };
  const Tensor with_ceil = max_pool2d(x, 2, {.ceil_mode = true});
  print_beside(out_, {draw_grid(x[0], lost, colour_), draw_text({"floor"}), draw_grid(y[0]), draw_text({"ceil"}), draw_grid(with_ceil[0])},
               2);
  out_ << "\n";
  expect("7x7 k2 s2", y, {6, 5, 9, 9, 4, 8, 8, 9, 7});
  expect("7x7 k2 s2 ceil", with_ceil, {6, 5, 9, 7, 9, 4, 8, 6, 8, 9, 7, 8, 9, 9, 9, 9});
  if (dropped_note(geometry) != "1 row and 1 column at the end are read by no window") wrong("7x7 k2 s2: " + dropped_note(geometry));
}

void Tour::more_planes() {
  out_ << "4. Three more planes, kernel_size 2\n\n";
  const Tensor a = tensor({{{-0.4128, 0.2341, -0.9876, 0.4567},
                            {0.1234, 0.8765, -0.2345, 0.6789},
                            {-0.5678, 0.3456, 0.7890, -0.1234},
                            {0.9012, -0.4567, 0.2345, 0.5678}}},
                          DType::f64);
  const Tensor b = digits({"53000003", "58672153", "56164631", "74030029", "37232705", "01411291", "17112997", "13071216"});
  const Tensor c = digits({"132468", "561237", "427810", "359421", "876352", "104789"});
  const Tensor pooled[] = {max_pool2d(a, 2), max_pool2d(b, 2), max_pool2d(c, 2)};
  const Block arrow = draw_text({"->"});
  print_beside(out_, {draw_grid(a[0], 4), arrow, draw_grid(pooled[0][0], 4)});
  out_ << "\n";
  print_beside(out_, {draw_grid(b[0]), arrow, draw_grid(pooled[1][0])});
  out_ << "\n";
  print_beside(out_, {draw_grid(c[0]), arrow, draw_grid(pooled[2][0])});
  out_ << "\n";
  expect("example 2", pooled[0], {0.8765, 0.6789, 0.9012, 0.7890});
  expect("example 3", pooled[1], {8, 7, 2, 5, 7, 6, 6, 9, 7, 4, 7, 9, 7, 7, 9, 9});
  expect("example 4", pooled[2], {6, 4, 8, 5, 9, 2, 8, 7, 9});
}

void Tour::shapes() {
  out_ << "5. Shapes: channels stay, sides shrink\n\n";
  const auto show = [this](const std::string& text, const Dims& input, const MaxPoolOptions<2>& options, const Dims& expected) {
    const Dims got = max_pool2d_shape(input, options);
    const std::string from = to_string(input);
    out_ << "  " << from << std::string(16 - from.size(), ' ') << text << std::string(12 - text.size(), ' ') << "-> " << to_string(got)
         << "\n";
    expect_shape(text, got, expected);
  };
  show("k2", {8, 64, 32, 32}, {.kernel_size = 2}, {8, 64, 16, 16});
  show("k7 s1 p3", {1, 3, 224, 224}, {.kernel_size = 7, .stride = 1, .padding = 3}, {1, 3, 224, 224});
  show("k3 s1", {1, 1, 6, 9}, {.kernel_size = 3, .stride = 1}, {1, 1, 4, 7});
  show("k2x3", {1, 1, 6, 9}, {.kernel_size = {2, 3}}, {1, 1, 3, 3});
  show("k3 s1 p1", {1, 1, 4, 4}, {.kernel_size = 3, .stride = 1, .padding = 1}, {1, 1, 4, 4});
  show("k2", {1, 32, 16, 16}, {.kernel_size = 2}, {1, 32, 8, 8});
  out_ << "\n";
}

}  // namespace tidepool::cli
