// The function that error messages begin with.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "tidepool/error.h"
#include "tidepool/problem.h"

namespace tidepool::inline v0_1::detail {

// Passed down to every check of a call. It builds no string until there is an error, so that a call without errors allocates nothing.
class CallerName {
 public:
  // `function` is the one that the user called, for example "max_pool2d_into". Without it, for plans that the user makes and runs, the
  // name is that of the function which computes the problem, for example "max_pool2d_backward". Both must outlive this object.
  explicit CallerName(const Problem& problem, std::string_view function = {}) noexcept : problem_(problem), function_(function) {}

  std::string text() const;
  Error error(ErrorCode code, const std::string& rule) const { return {code, text() + ": " + rule}; }

 private:
  const Problem& problem_;
  std::string_view function_;
};

}  // namespace tidepool::inline v0_1::detail
