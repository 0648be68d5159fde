#include "option_text.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string>
#include <vector>

#include "words.h"

namespace tidepool::cli {

namespace {

template <class T>
struct Word {
  std::string_view word;
  T meaning;
};

constexpr std::array roundings = {Word<Rounding>{"floor", Rounding::floor}, Word<Rounding>{"ceil", Rounding::ceil},
                                  Word<Rounding>{"ceil_full", Rounding::ceil_full}};
constexpr std::array nan_policies = {Word<NanPolicy>{"propagate", NanPolicy::propagate}, Word<NanPolicy>{"ignore", NanPolicy::ignore}};
constexpr std::array index_bases = {Word<IndexBase>{"plane", IndexBase::plane}, Word<IndexBase>{"tensor", IndexBase::tensor},
                                    Word<IndexBase>{"window", IndexBase::window}};
constexpr std::array presets = {Word<Preset>{"torch", Preset::torch}, Word<Preset>{"onnx", Preset::onnx},
                                Word<Preset>{"tensorflow", Preset::tensorflow}, Word<Preset>{"caffe", Preset::caffe}};
constexpr std::array divisors = {Word<Divisor>{"true", Divisor::window_in_padded}, Word<Divisor>{"false", Divisor::valid_only},
                                 Word<Divisor>{"full_kernel", Divisor::full_kernel}};
constexpr std::array integer_roundings = {Word<IntegerRounding>{"truncate", IntegerRounding::truncate},
                                          Word<IntegerRounding>{"floor", IntegerRounding::floor},
                                          Word<IntegerRounding>{"nearest_even", IntegerRounding::nearest_even}};
constexpr std::array truths = {Word<bool>{"true", true}, Word<bool>{"false", false}};
constexpr std::array padding_modes = {Word<PaddingMode>{"same", PaddingMode::same_upper},
                                      Word<PaddingMode>{"same_lower", PaddingMode::same_lower},
                                      Word<PaddingMode>{"valid", PaddingMode::valid}};

constexpr std::string_view keep_word = "keep";
constexpr const char* bins_form = "a number or keep, or one per axis (7 or 7,keep)";

[[noreturn]] void expected(const std::string& what, std::string_view got) {
  throw Error(ErrorCode::parse, "expected " + what + ", got '" + std::string(got) + "'");
}

template <class T, size_t N>
void read_word(std::string_view text, const std::array<Word<T>, N>& words, T& value) {
  std::string list;
  for (const auto& [word, meaning] : words) {
    if (word == text) {
      value = meaning;
      return;
    }
    join(list, word, ", ");
  }
  expected("one of " + list, text);
}

template <class T, size_t N>
std::string braced(const std::array<Word<T>, N>& words) {
  std::string list;
  for (const auto& [word, meaning] : words) join(list, word, ",");
  return "{" + list + "}";
}

template <class T, size_t N>
std::string word_of(T value, const std::array<Word<T>, N>& words) {
  for (const auto& [word, meaning] : words)
    if (meaning == value) return std::string(word);
  return "?";
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t end = text.find_first_of(separators);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::from_chars_result from_text(std::string_view text, auto& value) {
  return std::from_chars(text.data(), text.data() + text.size(), value);
}

#if !defined(__cpp_lib_to_chars)
// libc++ 19 has no from_chars for double. The program sets no locale, so strtod reads the same texts; those that it reads besides are
// refused.
std::from_chars_result from_text(std::string_view text, double& value) {
  if (text.empty() || text[0] == '+' || text.find_first_not_of("+-.0123456789eEinfINFtyTYaA") != std::string_view::npos)
    return {text.data(), std::errc::invalid_argument};
  const std::string terminated(text);
  char* end = nullptr;
  errno = 0;
  value = std::strtod(terminated.c_str(), &end);
  return {text.data() + (end - terminated.c_str()), errno == ERANGE ? std::errc::result_out_of_range : std::errc()};
}
#endif

template <class T = int64_t>
T number(std::string_view part, const char* form, std::string_view whole) {
  T value{};
  const auto [end, code] = from_text(part, value);
  if (code == std::errc::result_out_of_range) expected("numbers that fit in 64 bits", whole);
  if (code != std::errc() || end != part.data() + part.size()) expected(form, whole);
  return value;
}

template <class T>
std::string digits_of(T value) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

template <class T, size_t N>
std::string listed(const std::array<T, N>& values, int64_t count) {
  std::string text;
  for (size_t i = 0; i < N && static_cast<int64_t>(i) < count; ++i) join(text, digits_of(values[i]), ",");
  return text;
}

// Splits a list at commas and x, and converts each part with `read`.
template <class T, class Read>
std::vector<T> list_of(std::string_view text, Read read) {
  std::vector<T> list;
  for (std::string_view part : split(text, ",x")) list.push_back(read(part));
  return list;
}

}  // namespace

void read_text(std::string_view text, Sizes& value) {
  value = Sizes::from(list_of<int64_t>(text, [&](auto part) { return number(part, "a number or one per axis (3 or 3,2)", text); }));
}

void read_text(std::string_view text, BinCounts& value) {
  value = {Sizes::from(list_of<int64_t>(text, [&](auto part) {
    if (part == keep_word) return keep_size;
    const int64_t count = number(part, bins_form, text);
    // The number that represents `keep` internally is not a valid input.
    if (count == keep_size) expected(bins_form, text);
    return count;
  }))};
}

void read_text(std::string_view text, Dims& value) {
  const auto sizes = list_of<int64_t>(text, [&](auto part) { return number(part, "a size per axis (112,112) or a whole shape", text); });
  if (sizes.size() > max_rank) expected("at most " + std::to_string(max_rank) + " sizes", text);
  value = Dims(sizes);
}

void read_text(std::string_view text, Ratios& value) {
  value = Ratios::from(
      list_of<double>(text, [&](auto part) { return number<double>(part, "a share or one per axis (0.5 or 0.5,0.7)", text); }));
}

void read_text(std::string_view text, Pads& value) {
  static constexpr const char* form = "n, one per axis (1,2), before:after per axis (0:1,2:2), same, same_lower or valid";
  for (const auto& [word, mode] : padding_modes) {
    if (word != text) continue;
    value = Pads{.mode = mode};
    return;
  }
  const auto parts = split(text, ",x");
  value = Pads{};
  value.count = static_cast<int64_t>(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto sides = split(parts[i], ":");
    if (sides.size() > 2) expected(form, text);
    const Sides read(number(sides.front(), form, text), number(sides.back(), form, text));
    if (i < value.sides.size()) value.sides[i] = read;
  }
}

void read_text(std::string_view text, CeilMode& value) {
  Rounding rounding{};
  read_word(text, roundings, rounding);
  value = rounding;
}
void read_text(std::string_view text, NanPolicy& value) { read_word(text, nan_policies, value); }
void read_text(std::string_view text, IndexBase& value) { read_word(text, index_bases, value); }
void read_text(std::string_view text, std::optional<IndexBase>& value) { read_word(text, index_bases, value.emplace()); }
void read_text(std::string_view text, Preset& value) { read_word(text, presets, value); }
void read_text(std::string_view text, IntegerRounding& value) { read_word(text, integer_roundings, value); }
void read_text(std::string_view text, std::optional<Size>& value) { value = number(text, "a number", text); }
void read_text(std::string_view text, double& value) { value = number<double>(text, "a number or inf", text); }
void read_text(std::string_view text, uint64_t& value) { value = number<uint64_t>(text, "a number, 0 or more", text); }
void read_text(std::string_view text, bool& value) { read_word(text, truths, value); }
void read_text(std::string_view text, CountPad& value) {
  Divisor divisor{};
  read_word(text, divisors, divisor);
  value = divisor;
}

std::string words_of(CeilMode) { return braced(roundings); }
std::string words_of(NanPolicy) { return braced(nan_policies); }
std::string words_of(IndexBase) { return braced(index_bases); }
std::string words_of(std::optional<IndexBase>) { return braced(index_bases); }
std::string words_of(Preset) { return braced(presets); }
std::string words_of(CountPad) { return braced(divisors); }
std::string words_of(IntegerRounding) { return braced(integer_roundings); }
std::string words_of(bool) { return braced(truths); }

std::string text_of(const Sizes& value) { return listed(value.values, value.count); }
std::string text_of(const Ratios& value) { return listed(value.values, value.count); }
std::string text_of(const Dims& value) { return listed(value.values, value.rank); }

std::string text_of(const Pads& value) {
  if (value.mode != PaddingMode::explicit_sides) return word_of(value.mode, padding_modes);
  std::string text;
  for (int i = 0; i < value.count && i < max_spatial; ++i) {
    const Sides sides = value.sides[static_cast<size_t>(i)];
    join(text, std::to_string(sides.before), ",");
    if (sides.before != sides.after) text.append(":").append(std::to_string(sides.after));
  }
  return text;
}

std::string text_of(CeilMode value) { return value.rounding ? word_of(*value.rounding, roundings) : "from the preset"; }
std::string text_of(NanPolicy value) { return word_of(value, nan_policies); }
std::string text_of(double value) { return digits_of(value); }
std::string text_of(uint64_t value) { return digits_of(value); }
std::string text_of(bool value) { return word_of(value, truths); }
std::string text_of(IndexBase value) { return word_of(value, index_bases); }
std::string text_of(std::optional<IndexBase> value) { return value ? word_of(*value, index_bases) : "from the preset"; }
std::string text_of(Preset value) { return word_of(value, presets); }
std::string text_of(IntegerRounding value) { return word_of(value, integer_roundings); }
std::string text_of(std::optional<Size> value) { return value ? std::to_string(value->value) : ""; }
std::string text_of(CountPad value) { return value.divisor ? word_of(*value.divisor, divisors) : "from the preset"; }

}  // namespace tidepool::cli
