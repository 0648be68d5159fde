// The command line: one file per verb. A verb adds its subcommand and says what to do when it is chosen.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <functional>
#include <iosfwd>
#include <string>

#include "tidepool/io/io_error.h"

namespace tidepool::cli {

// What scripts can rely on.
enum ExitCode : int {
  exit_ok = 0,
  exit_mismatch = 1,  // a check was asked for and failed
  exit_usage = 2,     // bad arguments or bad input
  exit_io = 3,        // files or the machine failed us
};

using io::IoError;

// Where a verb writes its answer, and what the reader's end can show.
struct Console {
  std::ostream& out;
  bool colour = false;  // a terminal that takes ANSI colours
  bool live = false;    // a terminal that someone is watching
};

using Action = std::function<int(Console&)>;

void add_tour(CLI::App& app, Action& chosen);
void add_list(CLI::App& app, Action& chosen);
void add_plan(CLI::App& app, Action& chosen);
void add_run(CLI::App& app, Action& chosen);
void add_tune(CLI::App& app, Action& chosen);
void add_pool(CLI::App& app, Action& chosen);
void add_train(CLI::App& app, Action& chosen);
void add_predict(CLI::App& app, Action& chosen);

// Parses, runs, and turns every failure into one line on `err` and an exit code.
int run_cli(int argc, const char* const* argv, Console& console, std::ostream& err);

}  // namespace tidepool::cli
