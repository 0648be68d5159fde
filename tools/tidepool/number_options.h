// Options that are numbers, with the same limits and messages in every verb.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <string>

namespace tidepool::cli {

// The largest number of threads that the library makes.
inline constexpr int most_threads = 1024;

// --threads, a whole number from 1 to most_threads.
CLI::Option* add_threads(CLI::App& app, int& threads, const std::string& help);

// --seconds, a number from 0 to an hour.
CLI::Option* add_seconds(CLI::App& app, double& seconds, const std::string& help);

// Accepts finite numbers from `lowest` to `highest`, and refuses all other text with the text: NaN compares with nothing, so a range alone
// would accept it.
CLI::Validator number_between(double lowest, double highest);
CLI::Validator positive_number();
CLI::Validator whole_number_between(uint64_t lowest, uint64_t highest);

}  // namespace tidepool::cli
