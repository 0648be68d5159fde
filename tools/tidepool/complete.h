// Shell completion: the words that can follow those typed so far, from the definition of the command line itself.
#pragma once

#include <CLI/App.hpp>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tidepool::cli {

// The first argument with which the scripts of the shells call the program.
inline constexpr std::string_view complete_word = "__complete";

// `words` are those after the program's name; the last one is being typed, and may be empty. Prints one candidate per line, with a tab and
// a description behind it, or ":files" or ":folders" where the shell should complete file names.
void print_completions(const CLI::App& app, const std::vector<std::string>& words, std::ostream& out);

// All long options of a verb: "--threads".
std::vector<std::string> long_options(const CLI::App& verb);

// The script for a shell: "bash" or "zsh".
std::string_view completion_script(std::string_view shell);

}  // namespace tidepool::cli
