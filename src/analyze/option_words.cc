#include "analyze/option_words.h"

#include <charconv>
#include <cmath>
#include <locale>
#include <sstream>

#include "tidepool/error.h"
#include "tidepool/geometry.h"

namespace tidepool::inline v0_1::analyze {

namespace {

bool begins_value(std::string_view text) {
  return !text.empty() && ((text[0] >= '0' && text[0] <= '9') || text[0] == '*' || (text[0] == '-' && text.size() > 1));
}

}  // namespace

void bad_text(std::string message) { detail::throw_error({ErrorCode::parse, std::move(message)}); }

std::string quoted(std::string_view word) { return "'" + std::string(word) + "'"; }

int64_t number_in(std::string_view word, std::string_view digits) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) bad_text("expected a number in " + quoted(word));
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t at; (at = text.find(separator)) != std::string_view::npos; text.remove_prefix(at + 1)) parts.push_back(text.substr(0, at));
  parts.push_back(text);
  return parts;
}

Sizes sizes_in(std::string_view word, std::string_view text) {
  std::vector<int64_t> values;
  for (const std::string_view part : split(text, 'x')) values.push_back(part == "*" ? keep_size : number_in(word, part));
  if (values.size() > max_spatial) bad_text("at most 3 axes in " + quoted(word));
  return Sizes::from(values);
}

Dims dims_in(std::string_view word, std::string_view text) {
  std::vector<int64_t> values;
  for (const std::string_view part : split(text, 'x')) values.push_back(number_in(word, part));
  if (values.size() > max_rank) bad_text("at most " + std::to_string(max_rank) + " dimensions in " + quoted(word));
  return Dims(values);
}

std::vector<Sides> sides_in(std::string_view word, std::string_view text) {
  std::vector<Sides> sides;
  for (const std::string_view part : split(text, 'x')) {
    const auto pair = split(part, ':');
    if (pair.size() > 2) bad_text("expected before:after in " + quoted(word));
    sides.emplace_back(number_in(word, pair.front()), number_in(word, pair.back()));
  }
  return sides;
}

// Read from a stream, because std::from_chars of double is missing in some libraries.
double real_in(std::string_view word, std::string_view text) {
  std::istringstream in{std::string(text)};
  in.imbue(std::locale::classic());
  double value = 0;
  if (text.empty() || text[0] == ' ' || !(in >> value) || in.peek() != std::istringstream::traits_type::eof())
    bad_text("expected a number in " + quoted(word));
  return value;
}

Ratios ratios_in(std::string_view word) {
  std::vector<double> values;
  for (const std::string_view part : split(word, 'x')) {
    values.push_back(real_in(word, part));
    if (!(values.back() > 0) || !std::isfinite(values.back())) bad_text("expected a factor above 0, got " + quoted(word));
  }
  if (values.size() > max_spatial) bad_text("at most 3 axes in " + quoted(word));
  return Ratios::from(values);
}

bool OptionWords::take(std::string_view exact) {
  for (size_t i = 0; i < words_.size(); ++i)
    if (!used_[i] && words_[i] == exact) return used_[i] = true, true;
  return false;
}

bool OptionWords::take(std::string_view prefix, std::string_view* word, std::string_view* rest) {
  for (size_t i = 0; i < words_.size(); ++i) {
    if (used_[i] || !words_[i].starts_with(prefix) || !begins_value(words_[i].substr(prefix.size()))) continue;
    used_[i] = true;
    *word = words_[i];
    *rest = words_[i].substr(prefix.size());
    return true;
  }
  return false;
}

void OptionWords::sizes(std::string_view prefix, Sizes* into) {
  if (std::string_view word, rest; take(prefix, &word, &rest)) *into = sizes_in(word, rest);
}

void OptionWords::number(std::string_view prefix, int64_t* into) {
  if (std::string_view word, rest; take(prefix, &word, &rest)) *into = number_in(word, rest);
}

void OptionWords::padding(Pads* into) {
  if (std::string_view word, rest; take("p", &word, &rest)) {
    const std::vector<Sides> sides = sides_in(word, rest);
    if (sides.size() > max_spatial) bad_text("at most 3 axes in " + quoted(word));
    *into = Pads::from(sides);
  }
  if (take("same")) into->mode = PaddingMode::same_upper;
  if (take("same_lower")) into->mode = PaddingMode::same_lower;
}

bool OptionWords::next_number(int64_t* into) {
  std::string_view word, rest;
  if (!take("", &word, &rest)) return false;
  *into = number_in(word, rest);
  return true;
}

void OptionWords::finish() const {
  for (size_t i = 0; i < words_.size(); ++i)
    if (!used_[i]) bad_text("unknown option " + quoted(words_[i]) + " of " + quoted(words_[0]));
}

std::string_view word_at(const OptionWords::Words& words, size_t i, std::string_view what) {
  if (i >= words.size()) bad_text(quoted(words[0]) + " needs " + std::string(what));
  return words[i];
}

}  // namespace tidepool::inline v0_1::analyze
