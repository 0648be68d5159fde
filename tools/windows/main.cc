// tidepool_windows "<problem>" prints the windows of a problem along each axis, and its results on a few numbers, as JSON.
// scripts/draw_windows.py makes the drawings in docs/ops from it.
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

using nlohmann::json;

constexpr const char* usage =
    "usage: tidepool_windows \"<problem>\" [--values 1,2,…] [--indices 0,5,…] [--seed N]\n"
    "  e.g. tidepool_windows \"max2d fwd f32 nchw 1x1x4x4 k2 s2 idx=plane\"\n"
    "The problem must be a forward pass. --values fills the input in row-major order (default: 0, 1, 2, …), --indices are the\n"
    "indices for unpooling, --seed determines the positions of fractional windows.\n";

struct Args {
  std::string problem;
  std::vector<double> values, indices;
  uint64_t seed = 0;
};

[[noreturn]] void fail(const std::string& why) { throw Error(ErrorCode::invalid_argument, "tidepool_windows: " + why); }

std::vector<double> numbers(std::string_view text) {
  std::vector<double> list;
  while (!text.empty()) {
    const std::string word(text.substr(0, text.find(',')));
    char* end = nullptr;
    list.push_back(std::strtod(word.c_str(), &end));  // libc++ 19 has no from_chars for double
    if (word.empty() || *end != '\0') fail("not a number: " + word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return list;
}

Args parse_args(std::span<char*> words) {
  Args args;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (!word.starts_with("--") && args.problem.empty()) {
      args.problem = word;
      continue;
    }
    if (i + 1 == words.size()) fail(std::string(word) + " needs a value");
    const std::string_view value = words[++i];
    if (word == "--values")
      args.values = numbers(value);
    else if (word == "--indices")
      args.indices = numbers(value);
    else if (word == "--seed")
      args.seed = static_cast<uint64_t>(numbers(value).at(0));
    else
      fail("no such option: " + std::string(word));
  }
  return args;
}

Tensor filled(const Dims& shape, DType dtype, const std::vector<double>& values) {
  Tensor wide(shape, DType::f64);
  if (values.size() != static_cast<size_t>(wide.numel()))
    fail(std::to_string(wide.numel()) + " numbers are needed, got " + std::to_string(values.size()));
  std::memcpy(wide.data<double>(), values.data(), values.size() * sizeof(double));
  return wide.to(dtype);
}

json list_of(const Tensor& tensor) {
  const Tensor wide = tensor.to(DType::f64);
  return std::vector<double>(wide.data<double>(), wide.data<double>() + wide.numel());
}

json list_of_indices(const Tensor& tensor) {
  const Tensor wide = tensor.to(DType::i64);
  return std::vector<int64_t>(wide.data<int64_t>(), wide.data<int64_t>() + wide.numel());
}

Pooled fractional(const Problem& p, TensorView x, uint64_t seed) {
  const Geometry& g = p.geometry;
  const IndexBase base = p.indices.value_or(IndexBase::plane);
  if (p.op != Op::max || g.rank() == 1) fail("fractional windows belong to max2d and max3d");
  if (g.rank() == 2)
    return fractional_max_pool2d_with_indices(x, {.kernel_size = {g.height().kernel(), g.width().kernel()},
                                                  .output_size = {g.height().output(), g.width().output()},
                                                  .seed = seed,
                                                  .index_base = base});
  return fractional_max_pool3d_with_indices(x, {.kernel_size = {g.depth().kernel(), g.height().kernel(), g.width().kernel()},
                                                .output_size = {g.depth().output(), g.height().output(), g.width().output()},
                                                .seed = seed,
                                                .index_base = base});
}

// If the values decrease along the plane, the maximum of every window is its first element, so the indices are the window starts.
std::vector<int64_t> fractional_starts(const Problem& problem, int axis, uint64_t seed) {
  Problem p = problem;
  p.indices = IndexBase::plane;
  const Geometry& g = p.geometry;
  Tensor x = arange(g.input_shape(), DType::f32);
  for (int64_t i = 0; i < x.numel(); ++i) x.data<float>()[i] = -x.data<float>()[i];
  const Tensor where = fractional(p, x, seed).indices;
  int64_t inner_inputs = 1, inner_outputs = 1;
  for (int i = axis + 1; i < 3; ++i) inner_inputs *= g.axis(i).input(), inner_outputs *= g.axis(i).output();
  std::vector<int64_t> starts;
  starts.reserve(static_cast<size_t>(g.axis(axis).output()));
  for (int64_t o = 0; o < g.axis(axis).output(); ++o)
    starts.push_back(where.data<int64_t>()[o * inner_outputs] / inner_inputs % g.axis(axis).input());
  return starts;
}

json axis_of(const Problem& problem, int i, const Args& args) {
  const Axis& axis = problem.geometry.axis(i);
  json windows = json::array();
  const std::vector<int64_t> starts = axis.is_fractional() ? fractional_starts(problem, i, args.seed) : std::vector<int64_t>();
  for (int64_t o = 0; o < axis.output(); ++o) {
    Window w = axis.window(o);
    if (axis.is_fractional()) w.begin = starts.at(static_cast<size_t>(o));
    // From the first tap to the last, including taps in the padding.
    const int64_t span = axis.is_adaptive() ? w.count : axis.dilation() * (axis.kernel() - 1) + 1;
    windows.push_back({{"start", axis.is_fractional() ? w.begin : axis.start(o)},
                       {"span", span},
                       {"begin", w.begin},
                       {"count", w.count},
                       {"first_tap", w.first_tap},
                       {"padded_count", w.padded_count}});
  }
  return {{"name", axis_name(problem.geometry.rank(), i - (3 - problem.geometry.rank()))},
          {"input", axis.input()},
          {"output", axis.output()},
          {"kernel", axis.kernel()},
          {"stride", axis.stride()},
          {"dilation", axis.dilation()},
          {"padding", {axis.pad_before(), axis.pad_after()}},
          {"dropped", axis.dropped()},
          {"windows", windows}};
}

json results_of(const Problem& problem, const Args& args) {
  const Tensor x =
      args.values.empty() ? arange(source_shape(problem), problem.dtype) : filled(source_shape(problem), problem.dtype, args.values);
  json results{{"input", list_of(x)}};
  Pooled y;
  if (problem.geometry.width().is_fractional()) {
    y = fractional(problem, x, args.seed);
  } else {
    y.values = Tensor(result_shape(problem), problem.dtype);
    RunArrays arrays{.input = x, .output = y.values.span()};
    if (problem.indices) {
      const DType dtype = index_dtype(*problem.indices, problem.geometry, problem.nan);
      y.indices = reads_indices(problem) ? filled(source_shape(problem), dtype, args.indices) : Tensor(result_shape(problem), dtype);
      (reads_indices(problem) ? (void)(arrays.indices_in = y.indices) : (void)(arrays.indices_out = y.indices.span()));
    }
    make_plan(problem).run(arrays);
  }
  results["output"] = list_of(y.values);
  if (problem.indices) results["indices"] = list_of_indices(y.indices);
  return results;
}

json describe(const Args& args) {
  const Problem problem = parse(args.problem);
  if (problem.pass != Pass::forward) fail("only a forward pass has windows to show");
  json answer{{"problem", to_string(problem)}, {"axes", json::array()}};
  for (int i = 3 - problem.geometry.rank(); i < 3; ++i) answer["axes"].push_back(axis_of(problem, i, args));
  answer.update(results_of(problem, args));
  return answer;
}

}  // namespace
}  // namespace tidepool

int main(int argc, char** argv) {
  try {
    const tidepool::Args args = tidepool::parse_args({argv + 1, static_cast<size_t>(argc - 1)});
    if (args.problem.empty()) {
      std::cerr << tidepool::usage;
      return 2;
    }
    std::cout << tidepool::describe(args).dump() << "\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
