#include "check.h"

#include <tidepool/error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>

namespace face {

namespace {

int failed = 0;

void fail(const std::string& what, const std::source_location& at) {
  std::printf("%s:%u: %s\n", at.file_name(), static_cast<unsigned>(at.line()), what.c_str());
  ++failed;
}

using Three = std::array<int64_t, 3>;

// Lists of one, two or three numbers as three, with `fill` for the missing leading axes.
Three three(const std::vector<int64_t>& list, int64_t fill) {
  Three all = {fill, fill, fill};
  std::copy(list.begin(), list.end(), all.end() - static_cast<std::ptrdiff_t>(list.size()));
  return all;
}

int64_t output_size(int64_t length, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation, bool ceil_mode) {
  const int64_t room = length + 2 * padding - dilation * (kernel - 1) - 1;
  int64_t size = (room + (ceil_mode ? stride - 1 : 0)) / stride + 1;
  if (ceil_mode && (size - 1) * stride >= length + padding) --size;
  return size;
}

}  // namespace

void check(bool ok, const char* what, std::source_location at) {
  if (!ok) fail(what, at);
}

int failures() { return failed; }

void check_values(const Tensor& got, const Dims& shape, const std::vector<double>& values, std::source_location at) {
  if (!(got.shape() == shape)) return fail("shape " + to_string(got.shape()) + " instead of " + to_string(shape), at);
  const Tensor doubles = got.to(tidepool::DType::f64).clone();
  const auto flat = doubles.flat<double>();
  if (flat.size() != values.size()) return fail("as many elements as values", at);
  for (size_t i = 0; i < flat.size(); ++i)
    if (!(std::abs(flat[i] - values[i]) <= 1e-5 * (1 + std::abs(values[i]))))
      return fail("element " + std::to_string(i) + " is " + std::to_string(flat[i]) + " instead of " + std::to_string(values[i]), at);
}

void check_same(const Tensor& got, const Tensor& expected, std::source_location at) {
  const Tensor doubles = expected.to(tidepool::DType::f64).clone();
  const auto flat = doubles.flat<double>();
  check_values(got, expected.shape(), {flat.begin(), flat.end()}, at);
}

void check_throws(const std::function<void()>& f, const std::string& words, std::source_location at) {
  try {
    f();
    fail("does not throw", at);
  } catch (const tidepool::Error& error) {
    if (std::string(error.what()).find(words) == std::string::npos) fail(std::string("throws: ") + error.what(), at);
  }
}

Tensor numbers(const Dims& shape) {
  Tensor x(shape);
  int64_t i = 0;
  for (float& f : x.flat<float>()) f = static_cast<float>(i++ * 389 % 1009 - 500);
  return x;
}

Tensor pool(const Tensor& x, const Windows& windows, const Reduce& reduce) {
  const size_t rank = windows.kernel.size();
  const std::vector<int64_t> spatial(x.shape().end() - rank, x.shape().end());
  const Three in = three(spatial, 1), kernel = three(windows.kernel, 1), stride = three(windows.stride, 1),
              padding = three(windows.padding, 0), dilation = three(windows.dilation, 1);
  Three out{};
  Dims shape(std::vector<int64_t>(x.shape().begin(), x.shape().end() - rank));
  for (size_t a = 0; a < 3; ++a) {
    out[a] = output_size(in[a], kernel[a], stride[a], padding[a], dilation[a], windows.ceil_mode);
    if (a + rank >= 3) shape.push_back(out[a]);
  }
  Tensor y(shape);
  const auto from = x.flat<float>();
  auto to = y.flat<float>().begin();
  const int64_t plane = in[0] * in[1] * in[2];
  for (int64_t base = 0; base < x.numel(); base += plane)
    for (int64_t o = 0; o < out[0] * out[1] * out[2]; ++o) {
      const Three at = {o / (out[1] * out[2]), o / out[2] % out[1], o % out[2]};
      std::vector<double> elements;
      int64_t padded = 0;
      for (int64_t tap = 0; tap < kernel[0] * kernel[1] * kernel[2]; ++tap) {
        const Three t = {tap / (kernel[1] * kernel[2]), tap / kernel[2] % kernel[1], tap % kernel[2]};
        bool inside = true, inside_padding = true;
        int64_t offset = 0;
        for (size_t a = 0; a < 3; ++a) {
          const int64_t i = at[a] * stride[a] - padding[a] + t[a] * dilation[a];
          inside = inside && i >= 0 && i < in[a];
          inside_padding = inside_padding && i < in[a] + padding[a];
          offset = offset * in[a] + i;
        }
        padded += inside_padding;
        if (inside) elements.push_back(static_cast<double>(from[static_cast<size_t>(base + offset)]));
      }
      *to++ = static_cast<float>(reduce(elements, padded));
    }
  return y;
}

double largest(const std::vector<double>& elements, int64_t) { return *std::max_element(elements.begin(), elements.end()); }
double smallest(const std::vector<double>& elements, int64_t) { return *std::min_element(elements.begin(), elements.end()); }
double total(const std::vector<double>& elements, int64_t) { return std::accumulate(elements.begin(), elements.end(), 0.0); }
double average(const std::vector<double>& elements, int64_t padded) { return total(elements, padded) / static_cast<double>(padded); }
double average_of_elements(const std::vector<double>& elements, int64_t padded) {
  return total(elements, padded) / static_cast<double>(elements.size());
}
Reduce norm(double p) {
  return [p](const std::vector<double>& elements, int64_t) {
    double sum = 0;
    for (double e : elements) sum += std::pow(std::abs(e), p);
    return std::pow(sum, 1 / p);
  };
}

}  // namespace face
