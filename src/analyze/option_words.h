// The words of one layer's text, and the numbers in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tidepool/analyze/layers.h"

namespace tidepool::inline v0_1::analyze {

[[noreturn]] void bad_text(std::string message);  // throws Error(parse)
std::string quoted(std::string_view word);

// The parts of these functions' texts come from `word`, which the messages quote.
int64_t number_in(std::string_view word, std::string_view digits);
double real_in(std::string_view word, std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
Sizes sizes_in(std::string_view word, std::string_view text);               // "3", "3x3"; "*" is keep_size
Dims dims_in(std::string_view word, std::string_view text);                 // up to eight sizes
std::vector<Sides> sides_in(std::string_view word, std::string_view text);  // "1", "0:1", "0:1x2:2"
Ratios ratios_in(std::string_view word);                                    // "2", "1.5x2"

// The options behind a layer's first words. Each is taken once; what is left over is an error.
class OptionWords {
 public:
  using Words = std::vector<std::string_view>;

  // `words` outlive this object. The first of them is the kind of layer.
  OptionWords(const Words& words, size_t first) : words_(words), used_(words.size()) {
    for (size_t i = 0; i < first && i < words.size(); ++i) used_[i] = true;
  }

  bool take(std::string_view exact);
  // The text behind `prefix` of the first word that begins with it and goes on with a digit, a sign or a star.
  bool take(std::string_view prefix, std::string_view* word, std::string_view* rest);
  void sizes(std::string_view prefix, Sizes* into);
  void number(std::string_view prefix, int64_t* into);
  void padding(Pads* into);
  // The next word that is a number.
  bool next_number(int64_t* into);
  // Throws if a word is left.
  void finish() const;

 private:
  const Words& words_;
  std::vector<bool> used_;
};

// Word `i`, or an error that says what the layer needs.
std::string_view word_at(const OptionWords::Words& words, size_t i, std::string_view what);

}  // namespace tidepool::inline v0_1::analyze
