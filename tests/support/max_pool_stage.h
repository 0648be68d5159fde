// A sound call of every entry of a max pooling family, to be made unsound one argument at a time.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/arrays.h"
#include "support/max_pool_families.h"
#include "support/tensors.h"
#include "tidepool/creation.h"

namespace tidepool::test {

inline constexpr int64_t int_max = std::numeric_limits<int32_t>::max();
inline constexpr int64_t huge = std::numeric_limits<int64_t>::max();
inline constexpr int64_t lowest = std::numeric_limits<int64_t>::min();

// Arrays for a 4 (x 4 x 4) input pooled by 2, outputs full of canaries, and every entry of the family over them.
template <class F>
struct Stage {
  using Options = typename F::Options;
  using Call = std::function<void(const Options&)>;

  TensorView x, gg, grad, indices_in;
  TensorSpan out, indices_out, grad_input;
  std::vector<Array> outputs;
  Tensor input = rand(cube(1, 2, 4, F::rank), 1), gradient = rand(cube(1, 2, 2, F::rank), 2),
         indices = zeros(cube(1, 2, 2, F::rank), DType::i64);

  Stage() {
    const auto canaries = [&](int64_t size, DType dtype) {
      outputs.emplace_back(cube(1, 2, size, F::rank), dtype, Layout::channels_first, F::rank);
      outputs.back().remember();
      return outputs.back().span();
    };
    out = canaries(2, DType::f32);
    indices_out = canaries(2, DType::i64);
    grad_input = canaries(4, DType::f32);
    x = gg = input;
    grad = gradient;
    indices_in = indices;
  }

  std::vector<std::pair<std::string, Call>> forward_calls() const {
    return {{"", [*this](const Options& o) { F::pool(x, o); }},
            {"_with_indices", [*this](const Options& o) { F::with_indices(x, o); }},
            {"_into", [*this](const Options& o) { F::into(out, x, o); }},
            {"_with_indices_into", [*this](const Options& o) { F::with_indices_into(out, indices_out, x, o); }}};
  }
  std::vector<std::pair<std::string, Call>> backward_calls() const {
    return {{"_backward", [*this](const Options& o) { F::backward(grad, indices_in, grad_input.shape, o); }},
            {"_backward_into", [*this](const Options& o) { F::backward_into(grad_input, grad, indices_in, o); }}};
  }
  std::vector<std::pair<std::string, Call>> double_backward_calls() const {
    return {{"_double_backward", [*this](const Options& o) { F::double_backward(gg, indices_in, o); }},
            {"_double_backward_into", [*this](const Options& o) { F::double_backward_into(out, gg, indices_in, o); }}};
  }
  std::vector<std::pair<std::string, Call>> calls() const {
    auto all = forward_calls();
    for (auto& c : backward_calls()) all.push_back(c);
    for (auto& c : double_backward_calls()) all.push_back(c);
    all.push_back({"_shape", [*this](const Options& o) { F::shape(x.shape, o); }});
    return all;
  }

  void expect_refused(const std::vector<std::pair<std::string, Call>>& some, const Options& o, const std::string& words) const {
    for (const auto& [suffix, call] : some) {
      const std::string message = message_of([&] { call(o); });
      EXPECT_THAT(message, ::testing::StartsWith(F::name() + suffix + ": "));
      EXPECT_THAT(message, ::testing::HasSubstr(words)) << F::name() << suffix;
      for (const Array& a : outputs) EXPECT_TRUE(a.intact()) << F::name() << suffix << " wrote although it refused: " << message;
    }
  }
  void expect_refused(const Options& o, const std::string& words) const { expect_refused(calls(), o, words); }
  void expect_accepted(const Options& o) const {
    for (const auto& [suffix, call] : calls()) EXPECT_EQ(message_of([&] { call(o); }), "nothing thrown") << F::name() << suffix;
  }
};

template <class F>
typename F::Options pool_by(int64_t kernel) {
  return {.kernel_size = kernel};
}

}  // namespace tidepool::test
