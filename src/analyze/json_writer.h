// Writes JSON, indented by two spaces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tidepool::inline v0_1::analyze {

// Calls must nest as JSON does: a key before each value in an object. Arrays of numbers stand on one line.
class JsonWriter {
 public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  // The same on one line.
  void begin_row(char bracket = '[');

  JsonWriter& key(std::string_view name);
  void string(std::string_view text);  // bytes that are not UTF-8 become U+FFFD
  void integer(int64_t number);
  void number(double number);  // the shortest text that gives the same number again; null if it is not finite
  void boolean(bool on);
  void null();

  void strings(const std::vector<std::string>& texts);
  template <class Integers>
  void integers(const Integers& numbers) {
    begin_row();
    for (const auto number : numbers) integer(number);
    end_array();
  }

  std::string take() { return std::move(out_) + "\n"; }

 private:
  struct Level {
    bool row = false, empty = true;
  };
  void before_value();
  void open(char bracket);
  void close(char bracket);
  void new_line() { out_ += "\n" + std::string(2 * levels_.size(), ' '); }

  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

// The text as a JSON string, with its quotation marks.
std::string json_string(std::string_view text);

}  // namespace tidepool::inline v0_1::analyze
