// What all option structs share: their fields are filled by name only.
#pragma once

#include <concepts>
#include <string>

#include "tidepool/error.h"
#include "tidepool/extent.h"

namespace tidepool {

// The first field of every option struct. Nothing converts to it, so that {3, 2} never fills the fields in their order.
class NamedOnly {
  struct Key {};

 public:
  constexpr explicit NamedOnly(Key) noexcept {}
  static constexpr NamedOnly fields() noexcept { return NamedOnly(Key()); }
};

// A yes or no. Parameters of this type take a bool, and neither a number nor a pointer.
struct Flag {
  bool value = false;

  template <std::same_as<bool> B>
  constexpr Flag(B on) noexcept : value(on) {}                // NOLINT: implicit by design
  constexpr operator bool() const noexcept { return value; }  // NOLINT: implicit by design
};

namespace detail {
[[noreturn]] void throw_given_twice(const char* function, const char* option);

// The options of a call such as max_pool2d(x, 3, {.stride = 2}): `field` comes from the argument before them.
template <class Options, class Field>
Options with_field(const char* function, const char* name, Field Options::* field, const Field& value, const Options& rest) {
  if ((rest.*field).is_set()) throw_given_twice(function, name);
  Options options = rest;
  options.*field = value;
  return options;
}
}  // namespace detail

}  // namespace tidepool
