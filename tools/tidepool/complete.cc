#include "complete.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <ostream>
#include <sstream>

namespace tidepool::cli {

namespace {

// Options without a group are not shown in the help either.
bool is_visible(const CLI::Option& option) { return !option.get_group().empty(); }

std::vector<const CLI::Option*> options_of(const CLI::App& verb) {
  return verb.get_options([](const CLI::Option* option) { return is_visible(*option); });
}

// The option that a word such as -k, -k3, --kernel-size or --kernel-size=3 means, or none.
const CLI::Option* find_option(const CLI::App& verb, const std::string& word) {
  const bool is_long = word.starts_with("--");
  const std::string name = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
  const CLI::Option* option = verb.get_option_no_throw(name);
  return option != nullptr && option->nonpositional() ? option : nullptr;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

class Candidates {
 public:
  Candidates(std::string typed, std::ostream& out) : typed_(std::move(typed)), out_(out) {}

  void add(const std::string& word, const std::string& description) {
    if (!word.starts_with(typed_)) return;
    out_ << word;
    if (!description.empty()) out_ << "\t" << description.substr(0, description.find('\n'));
    out_ << "\n";
  }

  // The type of an option says what its values are: {a,b,c} is a list of words, FILE and DIR are names of files and folders.
  void add_values(const CLI::Option& option, const std::string& prefix) {
    const std::string type = option.get_type_name();
    const size_t open = type.find('{'), close = type.find('}', open);
    if (open != std::string::npos && close != std::string::npos) {
      std::istringstream list(type.substr(open + 1, close - open - 1));
      for (std::string word; std::getline(list, word, ',');) add(prefix + word, "");
    }
    if (type.find("FILE") != std::string::npos) out_ << ":files\n";
    if (type.find("DIR") != std::string::npos) out_ << ":folders\n";
  }

 private:
  std::string typed_;
  std::ostream& out_;
};

// Where the words before the last one have led to.
struct Place {
  const CLI::App* verb;
  const CLI::Option* awaits = nullptr;  // the option whose value comes next
  size_t positionals = 0;               // given so far
  bool options_end = false;             // behind --
};

Place follow(const CLI::App& app, const std::vector<std::string>& words) {
  Place place{.verb = &app};
  for (const std::string& word : words) {
    if (place.awaits != nullptr) {
      place.awaits = nullptr;
    } else if (word == "--") {
      place.options_end = true;
    } else if (word.size() > 1 && word[0] == '-' && !place.options_end) {
      const CLI::Option* option = find_option(*place.verb, word);
      const bool has_value = word.starts_with("--") ? word.find('=') != std::string::npos : word.size() > 2;
      if (option != nullptr && takes_value(*option) && !has_value) place.awaits = option;
    } else if (const auto subs = place.verb->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == word; }); !subs.empty()) {
      place = {.verb = subs.front()};
    } else {
      ++place.positionals;
    }
  }
  return place;
}

}  // namespace

std::vector<std::string> long_options(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options_of(verb))
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

void print_completions(const CLI::App& app, const std::vector<std::string>& words, std::ostream& out) {
  if (words.empty()) return;
  const std::string& typed = words.back();
  const Place place = follow(app, {words.begin(), words.end() - 1});
  Candidates candidates(typed, out);
  if (place.awaits != nullptr) return candidates.add_values(*place.awaits, "");
  if (typed.starts_with("-") && !place.options_end) {
    const size_t equals = typed.find('=');
    if (typed.starts_with("--") && equals != std::string::npos) {
      if (const CLI::Option* option = find_option(*place.verb, typed)) candidates.add_values(*option, typed.substr(0, equals + 1));
      return;
    }
    for (const CLI::Option* option : options_of(*place.verb)) {
      for (const std::string& name : option->get_lnames()) candidates.add("--" + name, option->get_description());
      for (const std::string& name : option->get_snames()) candidates.add("-" + name, option->get_description());
    }
    return;
  }
  for (const CLI::App* sub : place.verb->get_subcommands([](const CLI::App*) { return true; }))
    candidates.add(sub->get_name(), sub->get_description());
  std::vector<const CLI::Option*> positionals;
  for (const CLI::Option* option : options_of(*place.verb))
    if (option->get_positional()) positionals.push_back(option);
  if (place.positionals < positionals.size()) candidates.add_values(*positionals[place.positionals], "");
}

}  // namespace tidepool::cli
