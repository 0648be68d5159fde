#include "fuzz/hostile.h"

#include <functional>
#include <limits>
#include <vector>

#include "support/cells.h"

namespace tidepool::fuzz {
namespace {

constexpr int64_t huge = std::numeric_limits<int64_t>::max();

enum class Wrong { size, rank, dtype, null, misaligned, far_stride };

// Wrong for any array, read or written.
template <class View>
std::string spoil_view(View& view, test::Rng& rng) {
  const int dim = static_cast<int>(rng.between(0, view.rank() - 1));
  switch (rng.pick({Wrong::size, Wrong::rank, Wrong::dtype, Wrong::null, Wrong::misaligned, Wrong::far_stride})) {
    case Wrong::size: {
      view.shape[dim] = rng.pick({view.shape[dim] + 1, view.shape[dim] - 1, int64_t{-1}, huge, -huge});
      return "size of dim " + std::to_string(dim);
    }
    case Wrong::rank:
      view.shape.rank = rng.one_in(2) ? view.shape.rank - 1 : view.shape.rank + 1;
      return "rank";
    case Wrong::dtype: {
      const DType before = view.dtype;
      view.dtype = rng.pick(std::span<const DType>(all_dtypes));
      return view.dtype == before ? "" : "dtype";
    }
    case Wrong::null:
      if (view.numel() == 0) return "";
      view.data = nullptr;
      return "no data";
    case Wrong::misaligned:
      if (view.numel() == 0 || dtype_size(view.dtype) == 1) return "";
      view.data += 1;
      return "alignment";
    case Wrong::far_stride:
      if (view.numel() == 0 || view.shape[dim] < 2) return "";
      view.strides[dim] = rng.one_in(2) ? huge : -huge;
      return "stride of dim " + std::to_string(dim);
  }
  return "";
}

// Puts a number into a random cell of an i64 array.
std::string spoil_cell(TensorSpan numbers, int64_t wrong, test::Rng& rng) {
  if (numbers.numel() == 0) return "";
  Dims at = numbers.shape;
  for (int i = 0; i < at.rank; ++i) at[i] = rng.between(0, at[i] - 1);
  test::put<int64_t>(numbers, at, wrong);
  return "a number of " + std::to_string(wrong);
}

// Two outputs in one cell, or an output where the input lies.
std::string spoil_output(RunArrays& arrays, test::Rng& rng) {
  if (arrays.output.numel() == 0 || arrays.input.numel() == 0) return "";
  if (rng.one_in(2)) {
    arrays.output.data = const_cast<std::byte*>(arrays.input.data);  // their first cells meet; the plan must notice before it writes
    return "output over input";
  }
  const int dim = static_cast<int>(rng.between(0, arrays.output.rank() - 1));
  if (arrays.output.shape[dim] < 2) return "";
  arrays.output.strides[dim] = 0;
  return "output stride 0";
}

}  // namespace

std::string spoil(RunArrays& arrays, test::Job& job, test::Rng& rng) {
  const Problem& p = job.problem;
  const int64_t cells = p.geometry.input_numel();
  const bool reads = reads_indices(p), by_window = p.indices == IndexBase::window;
  const bool starts = p.geometry.width().is_fractional() && (!reads || by_window);
  std::vector<std::function<std::string()>> wrongs = {
      [&] { return spoil_view(arrays.input, rng); },
      [&] { return spoil_view(arrays.output, rng); },
      [&] { return spoil_output(arrays, rng); },
  };
  if (p.indices && !reads) wrongs.push_back([&] { return spoil_view(arrays.indices_out, rng); });
  if (reads) wrongs.push_back([&] { return spoil_view(arrays.indices_in, rng); });
  if (reads && !by_window)
    wrongs.push_back(
        [&] { return spoil_cell(job.indices.span(), rng.pick({int64_t{-2}, -huge, huge, cells, (int64_t{1} << 32) + cells}), rng); });
  if (reads_saved(p)) wrongs.push_back([&] { return spoil_view(arrays.saved, rng); });
  if (p.pass == Pass::double_backward_input) wrongs.push_back([&] { return spoil_view(arrays.grad, rng); });
  if (starts) wrongs.push_back([&] { return spoil_view(arrays.starts, rng); });
  if (starts) wrongs.push_back([&] { return spoil_cell(job.starts.span(), rng.pick({int64_t{-1}, -huge, huge, cells}), rng); });
  return rng.pick(std::span<const std::function<std::string()>>(wrongs))();
}

}  // namespace tidepool::fuzz
