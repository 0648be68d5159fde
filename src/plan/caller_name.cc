#include "plan/caller_name.h"

namespace tidepool::inline v0_1::detail {
namespace {

std::string_view pass_suffix(Pass pass) noexcept {
  switch (pass) {
    case Pass::forward:
      return "";
    case Pass::backward:
      return "_backward";
    case Pass::double_backward:
      return "_double_backward";
    case Pass::double_backward_input:
      return "_double_backward_input";
  }
  return "";
}

}  // namespace

std::string CallerName::text() const {
  if (!function_.empty()) return std::string(function_);
  return function_name(problem_.op, problem_.geometry.rank()).append(pass_suffix(problem_.pass));
}

}  // namespace tidepool::inline v0_1::detail
