#include "app.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>
#include <ostream>
#include <sstream>

#include "complete.h"
#include "suggest.h"
#include "tidepool/error.h"
#include "tidepool/runtime.h"
#include "words.h"

namespace tidepool::cli {

namespace {

std::string version_text() {
  const Version v = version();
  return "tidepool " + std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch);
}

int complain(std::ostream& err, std::string message, int code) {
  // The message can quote text from the user or from files. Control characters could break the line or send commands to the terminal.
  std::replace_if(message.begin(), message.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  // What it quotes can be as long as a file. The end says where in the text the mistake is.
  constexpr size_t most = 1000;
  if (message.size() > 2 * most) {
    const auto start_of_character = [&message](size_t at) {
      while (at > 0 && (static_cast<unsigned char>(message[at]) & 0xc0) == 0x80) --at;
      return at;
    };
    const size_t head = start_of_character(most), tail = start_of_character(message.size() - most);
    message.replace(head, tail - head, " … ");
  }
  err << "tidepool: " << message << "\n" << std::flush;
  return code;
}

// The full name of the innermost subcommand that was parsed, for the hint at its --help: "tidepool pool max".
std::string parsed_command(const CLI::App& app) {
  const CLI::App* at = &app;
  std::string path = app.get_name();
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    path += " " + at->get_name();
  }
  return path;
}

void lower_case_first(std::string& text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
}

std::string no_verb(const CLI::App& app) {
  const auto extras = app.remaining();
  std::string verbs;
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    join(verbs, verb->get_name());
    names.push_back(verb->get_name());
  }
  const std::string there_are = " (there are " + verbs + "; see tidepool --help)";
  if (extras.empty()) return "no verb given" + there_are;
  return "unknown verb or option '" + extras.front() + "'" + suggestion(extras.front(), names) + there_are;
}

// The message of an argument that nothing accepts, with the most similar option.
std::string unexpected(const CLI::App& app, const std::string& message) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  std::istringstream words(message);
  for (std::string word; words >> word;)
    if (word.starts_with("-")) return message + suggestion(word, long_options(*at));
  return message;
}

}  // namespace

int run_cli(int argc, const char* const* argv, Console& console) {
  std::ostream& err = console.err;
  try {
    CLI::App app("Pooling for arrays and neural networks.", "tidepool");
    app.set_version_flag("--version", version_text());
    app.get_formatter()->column_width(34);
    app.footer(
        "Examples:\n"
        "  tidepool tour\n"
        "  tidepool pool max -k 2 photo.png -o half.png\n"
        "  tidepool pool max -k 2 - -o - <photo.png >half.png\n"
        "  tidepool pool max -k 3 -s 2 -p 1 in.npy -o out.npy --indices where.npy\n"
        "  tidepool pool unpool -k 3 -s 2 -p 1 out.npy -o back.npy --indices where.npy\n"
        "  tidepool why 7x7 \"max 2\"\n"
        "  tidepool show \"avg 2 s1\" --array \"1 2 3; 4 5 6; 7 8 9\"\n"
        "  tidepool run \"max2d fwd f32 nchw 8x64x112x112 k3 s2 p1\" --check --threads 1\n"
        "  tidepool plan \"max2d fwd f32 nhwc 1x64x56x56 k2\"\n"
        "  tidepool shape 3x64x64 \"conv 3x3 32 p1, relu, max 2\"\n"
        "  tidepool diff 3x64x64 \"conv 3x3 32 p1, max 2\" \"conv 3x3 32 s2 p1\"\n"
        "  tidepool train --data mnist --epochs 5\n"
        "  tidepool predict digit.png\n\n"
        "Exit codes: 0 success, 1 a check failed, 2 bad arguments or input, 3 a file could not be\n"
        "read or written, or memory ran out.");
    Action chosen;
    add_tour(app, chosen);
    add_list(app, chosen);
    add_plan(app, chosen);
    add_run(app, chosen);
    add_tune(app, chosen);
    add_pool(app, chosen);
    add_why(app, chosen);
    add_shape(app, chosen);
    add_diff(app, chosen);
    add_show(app, chosen);
    add_train(app, chosen);
    add_predict(app, chosen);
    add_completion(app, chosen);
    // Unknown arguments are refused below, with the list of verbs. This comes last, because verbs that are added later would inherit the
    // setting.
    app.require_subcommand(0, 1)->allow_extras();
    // The completion scripts of the shells call this. It is not a verb, because it must take any words.
    if (argc > 1 && std::string_view(argv[1]) == complete_word) {
      print_completions(app, {argv + 2, argv + argc}, console.out);
      return exit_ok;
    }
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
      if (e.get_exit_code() == 0) return app.exit(e, console.out, err);
      std::string message = e.what();
      lower_case_first(message);
      if (const size_t twice = message.find(": At Most 1 required"); twice != std::string::npos)
        message = message.substr(0, twice) + " is given more than once";
      if (dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr) message = unexpected(app, message);
      return complain(err, message + " (see " + parsed_command(app) + " --help)", exit_usage);
    }
    if (!chosen || !app.remaining().empty()) return complain(err, no_verb(app), exit_usage);
    return chosen(console);
  } catch (const IoError& e) {
    return complain(err, e.what(), exit_io);
  } catch (const Error& e) {
    return complain(err, e.message(), e.code() == ErrorCode::out_of_memory ? exit_io : exit_usage);
  } catch (const std::bad_alloc&) {
    return complain(err, "out of memory", exit_io);
  } catch (const std::exception& e) {
    return complain(err, e.what(), exit_io);
  }
}

}  // namespace tidepool::cli
