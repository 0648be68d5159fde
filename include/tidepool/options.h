// Helpers for option structs, whose fields can only be set by name: {.kernel_size = 3}.
#pragma once

#include <concepts>
#include <string>

#include "tidepool/error.h"
#include "tidepool/export.h"
#include "tidepool/extent.h"

namespace tidepool::inline v0_1 {

// The first field of every option struct. No value converts to it, so {3, 2} cannot initialise the fields by position and selects the
// overload that takes a kernel size instead.
class NamedOnly {
  struct Key {};

 public:
  constexpr explicit NamedOnly(Key) noexcept {}
  static constexpr NamedOnly fields() noexcept { return NamedOnly(Key()); }
};

// A bool parameter. Accepts bool only: numbers and pointers do not convert to it.
struct Flag {
  bool value = false;

  template <std::same_as<bool> B>
  constexpr Flag(B on) noexcept : value(on) {}                // NOLINT: implicit by design
  constexpr operator bool() const noexcept { return value; }  // NOLINT: implicit by design
};

namespace detail {
[[noreturn]] TIDEPOOL_API void throw_given_twice(const char* function, const char* option);

// The options of a call such as max_pool2d(x, 3, {.stride = 2}), where `field` (here kernel_size) is a separate argument. Throws Error if
// the options set that field too.
template <class Options, class Field>
Options with_field(const char* function, const char* name, Field Options::* field, const Field& value, const Options& rest) {
  if ((rest.*field).is_set()) throw_given_twice(function, name);
  Options options = rest;
  options.*field = value;
  return options;
}
}  // namespace detail

}  // namespace tidepool::inline v0_1
