#include "ops/fractional_starts.h"

#include <algorithm>
#include <type_traits>

#include "core/checked.h"
#include "core/layout.h"

namespace tidepool::inline v0_1::detail {
namespace {

// PyTorch computes the starts in the element type. Every operation on a 16-bit float is computed in f32 and rounded back.
template <class T>
T rounded(auto value) noexcept {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(value);
  else
    return T(static_cast<float>(value));
}

template <class T>
auto wide(T value) noexcept {
  if constexpr (std::is_floating_point_v<T>)
    return value;
  else
    return static_cast<float>(value);
}

// Window i starts at trunc((i + u) * alpha) - trunc(u * alpha), where u is the sample and alpha the average distance between windows. The
// last window ends at the end of the input.
template <class T>
void fill_axis(const Axis& axis, T sample, int64_t* starts) noexcept {
  const int64_t outputs = axis.output(), last = axis.input() - axis.kernel();
  if (outputs == 0) return;
  if (outputs > 1) {
    const T alpha = rounded<T>(wide(rounded<T>(last)) / wide(rounded<T>(outputs - 1)));
    const auto step = [&](T at) { return static_cast<int64_t>(wide(rounded<T>(wide(at) * wide(alpha)))); };
    for (int64_t i = 0; i + 1 < outputs; ++i)
      // Rounding of 16-bit floats can give a start beyond the last one.
      starts[i] = std::clamp<int64_t>(step(rounded<T>(wide(rounded<T>(i)) + wide(sample))) - step(sample), 0, last);
  }
  starts[outputs - 1] = last;
}

template <class F>
void dispatch_floating(DType dtype, F f) {
  dispatch(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (is_floating_type<T>) f(tag);
  });
}

template <class T>
T sample_at(const TensorView& samples, int64_t n, int64_t c, int64_t i) noexcept {
  return samples.data_as<T>()[n * samples.stride(0) + c * samples.stride(1) + i * samples.stride(2)];
}

}  // namespace

void check_samples(const char* function, const Geometry& g, const TensorView& samples, DType dtype) {
  check_view(function, "samples", samples);
  if (samples.dtype != dtype)
    fail(function, ErrorCode::dtype_mismatch,
         "samples must have dtype " + std::string(dtype_name(dtype)) + ", got " + std::string(dtype_name(samples.dtype)));
  if (samples.rank() != 3 || samples.size(0) < g.batch() || samples.size(1) != g.channels() || samples.size(2) != g.rank())
    fail(function, ErrorCode::shape_mismatch,
         "samples must have shape " + to_string(Dims{g.batch(), g.channels(), g.rank()}) + ", got " + to_string(samples.shape));
  (void)check_layout(std::string(function) + ": samples", samples).value();
  if (reinterpret_cast<uintptr_t>(samples.data) % static_cast<uintptr_t>(dtype_size(dtype)) != 0)
    fail(function, ErrorCode::invalid_argument,
         "samples must be aligned to its element of " + std::to_string(dtype_size(dtype)) + " bytes");
  dispatch_floating(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t n = 0; n < g.batch(); ++n)
      for (int64_t c = 0; c < g.channels(); ++c)
        for (int i = 0; i < g.rank(); ++i)
          if (const auto u = wide(sample_at<T>(samples, n, c, i)); !(u >= 0 && u < 1))
            fail(function, ErrorCode::out_of_range, "samples must lie in [0, 1), got " + std::to_string(u));
  });
}

Tensor fractional_starts(const char* function, const Geometry& g, const TensorView& samples) {
  int64_t row = 0;
  for (int i = 3 - g.rank(); i < 3; ++i)
    if (!detail::checked_add(row, g.axis(i).output(), &row)) fail(function, ErrorCode::overflow, "output_size overflows 64 bits");
  Dims shape;
  if (g.batched()) shape.push_back(g.batch());
  shape.push_back(g.channels());
  shape.push_back(row);
  Tensor starts(shape, DType::i64);
  int64_t* out = starts.data<int64_t>();
  dispatch_floating(samples.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t n = 0; n < g.batch(); ++n)
      for (int64_t c = 0; c < g.channels(); ++c)
        for (int i = 0; i < g.rank(); ++i) {
          const Axis& axis = g.axis(3 - g.rank() + i);
          // The order of samples in PyTorch: width, height in 2-D, but depth, height, width in 3-D.
          fill_axis<T>(axis, sample_at<T>(samples, n, c, g.rank() == 2 ? 1 - i : i), out);
          out += axis.output();
        }
  });
  return starts;
}

}  // namespace tidepool::inline v0_1::detail
