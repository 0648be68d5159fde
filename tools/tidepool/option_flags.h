// Command-line flags generated from the fields that the visit function of an options struct lists.
#pragma once

#include <CLI/App.hpp>
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "option_text.h"

namespace tidepool::cli {

class OptionFlags {
 public:
  // Adds one flag per field of Options. This object must outlive the parsing.
  template <class Options>
  void add(CLI::App& app) {
    const Options defaults;
    Options::visit(defaults, [&](std::string_view name, const auto& field, std::string_view help) {
      using Field = std::remove_cvref_t<decltype(field)>;
      const std::string standard = text_of(field);
      const std::string text = std::string(help) + (standard.empty() ? "" : " [" + standard + "]");
      Typed& typed = typed_[std::string(name)];
      if constexpr (std::is_same_v<Field, CeilMode> || std::is_same_v<Field, bool>) {
        // A flag without an argument, so that "--ceil-mode in.npy" does not take the file name as its value. A value can be given as
        // --ceil-mode=ceil_full.
        typed.option = app.add_flag(names_of(name) + (std::is_same_v<Field, bool> ? "{true}" : "{ceil}"), typed.text, text);
        typed.option->type_name(words_of(field));
      } else {
        typed.option = app.add_option(names_of(name), typed.text, text);
        if constexpr (is_word<Field>) {
          typed.option->type_name(words_of(field));
        } else {
          typed.option->type_name("N");
        }
        if constexpr (std::is_same_v<Field, BinCounts>) typed.option->required();
      }
    });
  }

  // Overwrites the fields whose flags were given. Throws Error with the name of the flag.
  template <class Options>
  void read(Options& options) const {
    Options::visit(options, [&](std::string_view name, auto& field, std::string_view) {
      const auto typed = typed_.find(std::string(name));
      if (typed == typed_.end() || typed->second.option->count() == 0) return;
      try {
        read_text(typed->second.text, field);
      } catch (const Error& e) {
        throw Error(e.code(), long_name(name) + ": " + e.message());
      }
    });
  }

 private:
  template <class Field>
  static constexpr bool is_word =
      std::is_enum_v<Field> || std::is_same_v<Field, CountPad> || std::is_same_v<Field, std::optional<IndexBase>>;

  static std::string long_name(std::string_view field) {
    std::string name = "--" + std::string(field);
    std::replace(name.begin() + 2, name.end(), '_', '-');
    return name;
  }

  // The four most frequent options also have a short form of one letter.
  static std::string names_of(std::string_view field) {
    for (std::string_view frequent : {"kernel_size", "stride", "padding", "dilation"})
      if (field == frequent) return "-" + std::string(1, field[0]) + "," + long_name(field);
    return long_name(field);
  }

  struct Typed {
    std::string text;
    CLI::Option* option = nullptr;
  };
  std::map<std::string, Typed> typed_;
};

}  // namespace tidepool::cli
