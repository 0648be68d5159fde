// What the programs of this folder share: checks that print where they failed, and pooling as plain loops to compare with.
#pragma once

#include <tidepool/tensor.h>

#include <cstdint>
#include <functional>
#include <source_location>
#include <string>
#include <vector>

namespace face {

using tidepool::Dims;
using tidepool::Tensor;

// Counts and prints a failure.
void check(bool ok, const char* what, std::source_location at = std::source_location::current());
int failures();

// The same shape, and elements that differ by less than 1e-5 of their size.
void check_same(const Tensor& got, const Tensor& expected, std::source_location at = std::source_location::current());
void check_values(const Tensor& got, const Dims& shape, const std::vector<double>& values,
                  std::source_location at = std::source_location::current());

// f throws tidepool::Error with these words.
void check_throws(const std::function<void()>& f, const std::string& words, std::source_location at = std::source_location::current());

// Different whole numbers in no order, small enough to add up without rounding.
Tensor numbers(const Dims& shape);

// The windows of a pooling, with one number per axis.
struct Windows {
  std::vector<int64_t> kernel;
  std::vector<int64_t> stride = kernel;
  std::vector<int64_t> padding = std::vector<int64_t>(kernel.size(), 0);
  std::vector<int64_t> dilation = std::vector<int64_t>(kernel.size(), 1);
  bool ceil_mode = false;
};

// From the elements of a window, and the number of its positions inside input and padding, to a result.
using Reduce = std::function<double(const std::vector<double>& elements, int64_t padded)>;
Tensor pool(const Tensor& x, const Windows& windows, const Reduce& reduce);

double largest(const std::vector<double>& elements, int64_t padded);
double smallest(const std::vector<double>& elements, int64_t padded);
double total(const std::vector<double>& elements, int64_t padded);
double average(const std::vector<double>& elements, int64_t padded);              // divided by padded
double average_of_elements(const std::vector<double>& elements, int64_t padded);  // divided by the number of elements
Reduce norm(double p);

}  // namespace face
