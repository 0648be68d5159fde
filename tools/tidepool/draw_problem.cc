#include "draw_problem.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace tidepool::cli {

namespace {

constexpr int64_t fewest_cells = 10'000, most_cells = 4'000'000;
constexpr int64_t most_visited = 400'000'000;  // cells of all windows: kernels without vectors take a second for as many

class Draw {
 public:
  explicit Draw(uint64_t seed) : bits_(seed) {}

  // Both ends included. std::uniform_int_distribution gives other numbers in every standard library.
  int64_t between(int64_t low, int64_t high) { return low + static_cast<int64_t>(bits_() % static_cast<uint64_t>(high - low + 1)); }
  bool percent(int64_t share) { return between(1, 100) <= share; }
  int64_t log_between(double low, double high) {
    const double unit = static_cast<double>(bits_() >> 11) * 0x1p-53;
    return std::llround(low * std::pow(high / low, unit));
  }
  template <class T>
  T pick(std::initializer_list<T> list) {
    return list.begin()[between(0, static_cast<int64_t>(list.size()) - 1)];
  }

 private:
  std::mt19937_64 bits_;
};

Op draw_op(Draw& draw) {
  const int64_t share = draw.between(1, 100);
  return share <= 50 ? Op::max : share <= 55 ? Op::min : share <= 85 ? Op::avg : share <= 90 ? Op::sum : share <= 95 ? Op::lp : Op::unpool;
}

Pass draw_pass(Draw& draw) {
  const int64_t share = draw.between(1, 100);
  return share <= 55 ? Pass::forward : share <= 95 ? Pass::backward : Pass::double_backward;
}

DType draw_dtype(Draw& draw, const Problem& p) {
  if (draw.percent(60)) return DType::f32;
  if (p.pass != Pass::forward || p.op == Op::lp || draw.percent(50)) return draw.pick({DType::f64, DType::f16, DType::bf16});
  return draw.pick({DType::u8, DType::i8, DType::i16, DType::i32, DType::i64});
}

int64_t draw_kernel(Draw& draw) {
  if (draw.percent(70)) return draw.between(2, 3);
  return draw.percent(67) ? draw.between(4, 21) : draw.log_between(22, 128);
}

WindowOptions draw_windows(Draw& draw, const std::vector<int64_t>& sizes) {
  std::vector<int64_t> kernel(sizes.size(), draw_kernel(draw)), stride(sizes.size(), draw.between(1, 2)), dilation(sizes.size(), 1);
  if (draw.percent(10)) kernel[static_cast<size_t>(draw.between(0, static_cast<int64_t>(kernel.size()) - 1))] = 1;
  const bool side_by_side = draw.percent(33), padded = draw.percent(50), dilated = draw.percent(10);
  WindowOptions options;
  options.padding.count = static_cast<int>(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    kernel[i] = std::min(kernel[i], sizes[i]);
    if (side_by_side) stride[i] = kernel[i];
    if (dilated && 2 * kernel[i] - 1 <= sizes[i]) dilation[i] = 2;
    options.padding.sides[i] = padded ? Sides(kernel[i] / 2) : Sides(0);
  }
  options.kernel_size = Sizes::from(kernel);
  options.stride = Sizes::from(stride);
  options.dilation = Sizes::from(dilation);
  if (draw.percent(10)) options.ceil_mode = Rounding::ceil;
  return options;
}

Result<Geometry> draw_geometry(Draw& draw, Op op) {
  const int64_t share = draw.between(1, 100);
  const int rank = share <= 80 ? 2 : share <= 90 ? 1 : 3;
  std::vector<int64_t> sizes;
  Dims shape;
  shape.push_back(draw.log_between(1, 64));
  shape.push_back(draw.log_between(1, 512));
  int64_t cells = shape[0] * shape[1];
  for (int i = 0; i < rank; ++i) {
    sizes.push_back(draw.log_between(4, rank == 1 ? 65536 : 512));
    shape.push_back(sizes.back());
    cells *= sizes.back();
  }
  if (cells < fewest_cells || cells > most_cells) return Error{ErrorCode::invalid_argument, "too few or too many cells"};
  if (op == Op::unpool) {
    WindowOptions options = draw_windows(draw, sizes);
    options.dilation = {{1}, 1};
    return Geometry::unpooled("draw", rank, shape, options, {});
  }
  if (op == Op::lp || !draw.percent(15)) return Geometry::windowed("draw", rank, shape, draw_windows(draw, sizes));
  if (draw.percent(40)) return Geometry::adaptive("draw", rank, shape, {{1}, 1});
  std::vector<int64_t> output;
  for (const int64_t size : sizes) output.push_back(std::min(size, draw.between(1, 14)));
  return Geometry::adaptive("draw", rank, shape, Sizes::from(output));
}

}  // namespace

Problem draw_problem(uint64_t seed, uint64_t number) {
  Draw draw(seed * 0x9e3779b97f4a7c15u + number);
  for (;;) {
    Problem p;
    p.op = draw_op(draw);
    p.pass = draw_pass(draw);
    p.dtype = draw_dtype(draw, p);
    p.layout = draw.percent(55) ? Layout::channels_first : draw.percent(90) ? Layout::channels_last : Layout::strided;
    if (has_indices(p.op) && (reads_indices(p) || draw.percent(40))) p.indices = draw.percent(70) ? IndexBase::window : IndexBase::plane;
    if (p.op == Op::lp) p.reduction.norm = draw.pick({1.0, 2.0, 3.0});
    if (p.op == Op::sum) p.reduction = {.divisor = Divisor::fixed, .fixed_divisor = 1};
    const Result<Geometry> geometry = draw_geometry(draw, p.op);
    if (!geometry || geometry->output_numel() * geometry->window_taps() > most_visited) continue;
    p.geometry = *geometry;
    if (p.layout == Layout::channels_last && geometry->channels() == 1) continue;  // the strides of one channel are those of channels first
    if (enlarges(p) && geometry->input_numel() > most_cells) continue;
    return p;
  }
}

}  // namespace tidepool::cli
