// Option values that are words, and the messages about values of the wrong type.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "array.h"
#include "tidepool/error.h"

namespace tidepool::python {

// Where a value stands, for messages.
struct Place {
  const char* function;
  const char* name;

  std::string text() const { return std::string(function) + ": " + name; }
  [[noreturn]] void wrong_type(const char* expected, nb::handle got) const {
    throw nb::type_error((text() + " must be " + expected + ", got " + name_of_type(got)).c_str());
  }
};

template <class Enum, size_t N>
using Words = std::array<std::pair<std::string_view, Enum>, N>;

template <class Enum, size_t N>
Enum read_word(const Place& at, nb::handle v, const Words<Enum, N>& words) {
  std::string known;
  for (const auto& [name, value] : words) known += (known.empty() ? "\"" : ", \"") + std::string(name) + "\"";
  if (!PyUnicode_Check(v.ptr())) at.wrong_type(("one of " + known).c_str(), v);
  const auto text = nb::cast<std::string>(v);
  for (const auto& [name, value] : words)
    if (name == text) return value;
  throw Error(ErrorCode::invalid_argument, at.text() + " must be one of " + known + ", got \"" + text + "\"");
}

}  // namespace tidepool::python
