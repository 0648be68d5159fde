// Builds kernel tables: one entry for every element type of a list.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernels/kernel.h"
#include "tidepool/dtype.h"

namespace tidepool::inline v0_1::detail {

template <class... E>
struct Types {};
using FloatTypes = Types<float, double, Half, BFloat16>;
using NumberTypes = Types<float, double, Half, BFloat16, int8_t, uint8_t, int16_t, int32_t, int64_t>;
using AllTypes = Types<float, double, Half, BFloat16, int8_t, uint8_t, int16_t, int32_t, int64_t, bool>;

template <class... E>
constexpr size_t count(Types<E...>) {
  return sizeof...(E);
}
static_assert(count(AllTypes()) == all_dtypes.size());

// A kernel for one element type, as a class of static functions. KernelEntry says what each is for.
template <class K>
concept KernelCode = requires(const Problem& problem, const KernelArgs& args, const Tile& tile) {
  { K::fits(problem) } -> std::same_as<Fit>;
  { K::scratch_bytes(problem) } -> std::same_as<int64_t>;
  { K::grain(problem) } -> std::same_as<int64_t>;
  { K::run(args, tile) } noexcept;
};

// Base of kernels that need no scratch and whose units of work share nothing.
struct SimpleKernel {
  static int64_t scratch_bytes(const Problem&) { return 0; }
  static int64_t grain(const Problem&) { return 1; }
};

// What the entries of a kernel have in common.
struct EntryForm {
  std::string_view name;
  EnumSet<Op> ops;
  EnumSet<Pass> passes;  // integers have the forward pass alone
  Split split = Split::rows;
  int64_t target = 0;  // Highway's bit; 0 for code without vectors
  EnumSet<Indices> indices = {Indices::absent, Indices::present};
};

// The entry of K for elements of type E.
template <KernelCode K, class E>
constexpr KernelEntry entry(const EntryForm& form) {
  return {.name = form.name,
          .ops = form.ops,
          .passes = is_floating_type<E> ? form.passes : Pass::forward,
          .indices = form.indices,
          .dtype = dtype_of<E>,
          .target = form.target,
          .split = form.split,
          .fits = K::fits,
          .scratch_bytes = K::scratch_bytes,
          .grain = K::grain,
          .run = K::run};
}

// The entries of Kernel<E> for all E of a list.
template <template <class> class Kernel, class... E>
constexpr std::array<KernelEntry, sizeof...(E)> entries(const EntryForm& form, Types<E...>) {
  return {entry<Kernel<E>, E>(form)...};
}

// Tables, one behind the other.
template <size_t... kSizes>
constexpr auto join(const std::array<KernelEntry, kSizes>&... parts) {
  std::array<KernelEntry, (kSizes + ...)> all{};
  auto end = all.begin();
  ((end = std::copy(parts.begin(), parts.end(), end)), ...);
  return all;
}

}  // namespace tidepool::inline v0_1::detail
