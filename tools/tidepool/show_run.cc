#include "show_run.h"

#include <algorithm>

#include "run_layer.h"
#include "small_array.h"
#include "tidepool/analyze/windows.h"
#include "tidepool/autograd.h"
#include "tidepool/creation.h"
#include "tidepool/error.h"
#include "words.h"

namespace tidepool::cli {

namespace {

using analyze::WindowTaps;

Op op_of(const OneLayer& layer) {
  if (const auto* pool = std::get_if<analyze::Pool>(&layer.layer())) return pool->op;
  if (const auto* pool = std::get_if<analyze::AdaptivePool>(&layer.layer())) return pool->op;
  return Op::max;
}

void check_options(const OneLayer& layer, const ShowOptions& options) {
  const auto* pool = std::get_if<analyze::Pool>(&layer.layer());
  if (options.count_include_pad.divisor && (pool == nullptr || pool->op != Op::avg))
    throw Error(ErrorCode::invalid_argument, "show: --count-include-pad belongs to avg, got '" + to_string(layer.layer()) + "'");
  if (options.norm_type != 2 && (pool == nullptr || pool->op != Op::lp))
    throw Error(ErrorCode::invalid_argument, "show: --norm-type belongs to lp, got '" + to_string(layer.layer()) + "'");
  const Dims& output = layer.output();
  if (const Result<int64_t> cells = checked_numel(output); !cells || *cells > most_small_cells)
    throw Error(ErrorCode::invalid_argument,
                "show: takes layers with at most " + std::to_string(most_small_cells) + " outputs, got " + to_string(output));
}

Dims spatial(const Dims& shape) { return Dims(shape.span().subspan(2)); }

// Positions of a number in row-major order.
Dims place_of(const Dims& shape, int64_t cell) {
  Dims place = shape;
  for (int dim = shape.rank - 1; dim >= 0; --dim) {
    place[dim] = cell % shape[dim];
    cell /= shape[dim];
  }
  return place;
}

int64_t number_of(const Dims& shape, const Dims& place) {
  int64_t number = 0;
  for (int dim = 0; dim < shape.rank; ++dim) number = number * shape[dim] + place[dim];
  return number;
}

// If the values decrease along the plane, the maximum of every window is its first cell.
Tensor first_cells(const Shown& shown, const ShowOptions& options) {
  Tensor falling = arange(shown.layer.input(), DType::f64);
  for (double& value : falling.flat<double>()) value = -value;
  return run_layer(shown.layer, falling, options).indices;
}

class WindowReader {
 public:
  WindowReader(const Shown& shown, const ShowOptions& options) : shown_(shown), options_(options), shape_(shown.input.shape()) {
    fractional_ = std::get_if<analyze::FractionalPool>(&shown.layer.layer());
    if (fractional_ != nullptr) first_cells_ = first_cells(shown, options);
  }

  ShownWindow window(int64_t number) const {
    ShownWindow window;
    window.output = place_of(shown_.output.shape(), number);
    std::vector<WindowTaps> taps;
    taps.reserve(shape_.size());
    for (int dim = 0; dim < shape_.rank; ++dim) taps.push_back(taps_of(dim, number, window.output[dim]));
    collect(taps, window);
    window.result = value_at(shown_.output, number);
    if (shown_.op == Op::avg) window.divisor = divisor(taps);
    if (shown_.indices.defined()) find_winner(number, window);
    return window;
  }

 private:
  static double value_at(const Tensor& tensor, int64_t number) {
    return tensor.dtype() == DType::f64 ? tensor.flat<double>()[static_cast<size_t>(number)]
                                        : static_cast<double>(tensor.flat<float>()[static_cast<size_t>(number)]);
  }

  WindowTaps taps_of(int dim, int64_t number, int64_t at) const {
    if (fractional_ == nullptr) return analyze::window_taps(shown_.layer.network, OneLayer::node, 2 + dim, at);
    const int64_t first = place_of(shape_, first_cells_.flat<int64_t>()[static_cast<size_t>(number)])[dim];
    const int64_t kernel = fractional_->kernel_size[dim];
    return {.first = first, .taps = kernel, .begin = first, .count = kernel, .padded_count = kernel, .coordinate = {}};
  }

  void collect(const std::vector<WindowTaps>& taps, ShownWindow& window) const {
    Dims counts = shape_;
    int64_t inside = 1;
    double all = 1;  // kernels can be larger than any integer once their sizes are multiplied
    for (int dim = 0; dim < shape_.rank; ++dim) {
      const WindowTaps& t = taps[static_cast<size_t>(dim)];
      counts[dim] = t.count;
      inside *= t.count;
      all *= static_cast<double>(t.taps);
    }
    window.padded = all - static_cast<double>(inside);
    for (int64_t i = 0; i < inside; ++i) {
      Dims place = place_of(counts, i);
      for (int dim = 0; dim < shape_.rank; ++dim) {
        const WindowTaps& t = taps[static_cast<size_t>(dim)];
        place[dim] = t.begin + place[dim] * t.step;
      }
      window.cells.push_back(number_of(shape_, place));
      window.values.push_back(value_at(shown_.input, window.cells.back()));
    }
  }

  double divisor(const std::vector<WindowTaps>& taps) const {
    const Divisor kind = options_.count_include_pad.divisor.value_or(Divisor::window_in_padded);
    double product = 1;
    for (const WindowTaps& t : taps)
      product *= static_cast<double>(kind == Divisor::window_in_padded ? t.padded_count : kind == Divisor::valid_only ? t.count : t.taps);
    return product;
  }

  void find_winner(int64_t number, ShownWindow& window) const {
    const int64_t winner = shown_.indices.flat<int64_t>()[static_cast<size_t>(number)];
    if (std::ranges::find(window.cells, winner) == window.cells.end()) return;  // a window without cells
    window.winner = winner;
    for (size_t i = 0; i < window.cells.size(); ++i)
      if (window.cells[i] != winner && window.values[i] == window.result) window.ties.push_back(window.cells[i]);
  }

  const Shown& shown_;
  const ShowOptions& options_;
  Dims shape_;
  const analyze::FractionalPool* fractional_ = nullptr;
  Tensor first_cells_;
};

}  // namespace

Shown show_layer(const Tensor& x, const std::string& layer, const ShowOptions& options) {
  Shown shown;
  shown.layer = one_layer("show", x.shape(), x.rank(), layer);
  check_options(shown.layer, options);
  shown.op = op_of(shown.layer);
  shown.norm_type = options.norm_type;
  Tensor leaf = x.clone().reshape(shown.layer.input());
  leaf.set_requires_grad();
  const Pooled pooled = run_layer(shown.layer, leaf, options);
  const Dims result = spatial(pooled.values.shape());
  shown.input = x;
  shown.output = pooled.values.detach().clone().reshape(result);
  if (pooled.indices.defined()) shown.indices = pooled.indices.clone().reshape(result);
  shown.output_gradient = ones(result, x.dtype());
  if (options.gradient.defined()) {
    const Tensor given = with_rank("--grad", options.gradient, result.rank).to(x.dtype());
    if (given.shape() != result)
      throw Error(ErrorCode::shape_mismatch,
                  "show: --grad must have the shape of the output, " + to_string(result) + ", got " + to_string(options.gradient.shape()));
    shown.output_gradient = given;
  }
  const Tensor gradient = grad(pooled.values, {leaf}, {.gradient = shown.output_gradient.reshape(pooled.values.shape())})[0];
  shown.gradient = gradient.clone().reshape(x.shape());

  const WindowReader windows(shown, options);
  for (int64_t number = 0; number < shown.output.numel(); ++number) shown.windows.push_back(windows.window(number));
  return shown;
}

std::string place_text(const Dims& shape, int64_t cell) {
  std::string text;
  for (const int64_t at : place_of(shape, cell)) join(text, std::to_string(at), ",");
  return text;
}

}  // namespace tidepool::cli
