#include "number_options.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "option_text.h"

namespace tidepool::cli {

namespace {

std::optional<double> finite_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
  return value;
}

template <class Accepts>
CLI::Validator validator(const std::string& expected, const Accepts& accepts) {
  // Without a description: it would be printed behind the option's name in the help.
  return {[expected, accepts](std::string& text) { return accepts(text) ? "" : "expected " + expected + ", got '" + text + "'"; }, ""};
}

}  // namespace

CLI::Validator number_between(double lowest, double highest) {
  return validator("a number from " + text_of(lowest) + " to " + text_of(highest), [lowest, highest](const std::string& text) {
    const auto value = finite_number(text);
    return value && *value >= lowest && *value <= highest;
  });
}

CLI::Validator positive_number() {
  return validator("a number above 0", [](const std::string& text) { return finite_number(text).value_or(0) > 0; });
}

CLI::Validator whole_number_between(uint64_t lowest, uint64_t highest) {
  return validator("a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest),
                   [lowest, highest](const std::string& text) {
                     uint64_t value = 0;
                     const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
                     return code == std::errc() && end == text.data() + text.size() && value >= lowest && value <= highest;
                   });
}

CLI::Option* add_threads(CLI::App& app, int& threads, const std::string& help) {
  return app.add_option("--threads", threads, help + ", at most " + std::to_string(most_threads))
      ->check(whole_number_between(1, most_threads))
      ->type_name("N");
}

CLI::Option* add_seconds(CLI::App& app, double& seconds, const std::string& help) {
  return app.add_option("--seconds", seconds, help)->check(number_between(0, 3600))->type_name("S");
}

}  // namespace tidepool::cli
