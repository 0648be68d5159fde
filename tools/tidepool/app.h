// The command line, with one file per subcommand ("verb"). Each add_… function adds a verb to `app` and sets `chosen` when the user picks
// it.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <functional>
#include <iosfwd>
#include <string>

#include "tidepool/io/io_error.h"

namespace tidepool::cli {

// Scripts can rely on these values.
enum ExitCode : int {
  exit_ok = 0,
  exit_mismatch = 1,  // a check was asked for and failed
  exit_usage = 2,     // bad arguments or bad input
  exit_io = 3,        // a file could not be read or written, or memory ran out
};

using io::IoError;

// Where a verb writes its output, and what that output supports.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool colour = false;  // ANSI colours
  bool live = false;    // a terminal, where animations and progress bars make sense
};

using Action = std::function<int(Console&)>;

void add_tour(CLI::App& app, Action& chosen);
void add_list(CLI::App& app, Action& chosen);
void add_plan(CLI::App& app, Action& chosen);
void add_run(CLI::App& app, Action& chosen);
void add_tune(CLI::App& app, Action& chosen);
void add_pool(CLI::App& app, Action& chosen);
void add_why(CLI::App& app, Action& chosen);
void add_shape(CLI::App& app, Action& chosen);
void add_diff(CLI::App& app, Action& chosen);
void add_show(CLI::App& app, Action& chosen);
void add_train(CLI::App& app, Action& chosen);
void add_predict(CLI::App& app, Action& chosen);
void add_completion(CLI::App& app, Action& chosen);

// Parses the arguments and runs the verb. Every failure becomes one line on console.err and an exit code.
int run_cli(int argc, const char* const* argv, Console& console);

}  // namespace tidepool::cli
