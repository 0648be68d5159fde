#include "core/portable.h"

#if defined(__linux__) && !TIDEPOOL_PORTABLE
#include <sys/mman.h>
#endif

#if defined(__cpp_lib_to_chars) && !TIDEPOOL_PORTABLE
#include <charconv>
#else
#include <algorithm>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#endif

namespace tidepool::inline v0_1::detail {

void request_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] size_t bytes) noexcept {
#if defined(__linux__) && !TIDEPOOL_PORTABLE
  (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

#if defined(__cpp_lib_to_chars) && !TIDEPOOL_PORTABLE

std::errc parse_double(std::string_view text, double* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end != text.data() + text.size() ? std::errc::invalid_argument : error;
}

#else

namespace {

bool equal_word(std::string_view text, std::string_view lower_case) {
  if (text.size() != lower_case.size()) return false;
  for (size_t i = 0; i < text.size(); ++i)
    if ((text[i] | ('a' - 'A')) != lower_case[i]) return false;
  return true;
}

// [-]digits[.digits][e[+-]digits], with digits before or after the point.
bool is_decimal(std::string_view text) {
  const auto skip_digits = [&] {
    const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(digits);
    return digits;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  size_t digits = skip_digits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    digits += skip_digits();
  }
  if (digits == 0) return false;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (skip_digits() == 0) return false;
  }
  return text.empty();
}

}  // namespace

std::errc parse_double(std::string_view text, double* value) {
  const bool negative = text.starts_with('-');
  const std::string_view word = text.substr(negative ? 1 : 0);
  const double sign = negative ? -1.0 : 1.0;
  if (equal_word(word, "inf") || equal_word(word, "infinity")) {
    *value = sign * std::numeric_limits<double>::infinity();
    return {};
  }
  if (equal_word(word, "nan")) {
    *value = sign * std::numeric_limits<double>::quiet_NaN();
    return {};
  }
  if (!is_decimal(text)) return std::errc::invalid_argument;
  std::istringstream stream{std::string(text)};
  stream.imbue(std::locale::classic());
  double parsed = 0;
  stream >> parsed;
  // Too large gives infinity and too small zero or a subnormal number, both with a failure.
  if (stream.fail()) return std::errc::result_out_of_range;
  *value = parsed;
  return {};
}

#endif

}  // namespace tidepool::inline v0_1::detail
