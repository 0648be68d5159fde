// How many columns a verb's text may fill.
#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <string>
#include <string_view>

namespace tidepool::cli {

inline constexpr int least_width = 20, most_width = 1000;

// --width, a number of columns. 0 stands for "not given".
CLI::Option* add_width(CLI::App& app, int& width);

// `asked` if it is not 0; otherwise that of the terminal, or 80 if standard output is none.
int console_width(int asked);

// The number of columns of a text in UTF-8, each character one column wide.
size_t columns_of(std::string_view text);

// `text` behind `label`, broken at spaces into lines of at most `width` columns. Further lines are indented as far as the text in the
// first, or by 4 columns if little would be left.
std::string wrapped(std::string_view label, std::string_view text, int width);

}  // namespace tidepool::cli
