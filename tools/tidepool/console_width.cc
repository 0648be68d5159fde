#include "console_width.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "number_options.h"

namespace tidepool::cli {

namespace {

// The bytes of the first characters, as many as fit into `columns`.
size_t bytes_of(std::string_view text, size_t columns) {
  size_t bytes = text.size();
  while (columns_of(text.substr(0, bytes)) > columns) --bytes;
  return bytes;
}

}  // namespace

CLI::Option* add_width(CLI::App& app, int& width) {
  return app.add_option("--width", width, "columns that the text may fill [those of the terminal, or 80]")
      ->check(whole_number_between(least_width, most_width))
      ->type_name("N");
}

int console_width(int asked) {
  if (asked != 0) return asked;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return std::clamp<int>(size.ws_col, least_width, most_width);
}

size_t columns_of(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string wrapped(std::string_view label, std::string_view text, int width) {
  const auto most = static_cast<size_t>(width);
  const size_t indent = columns_of(label) + 24 <= most ? columns_of(label) : std::min<size_t>(columns_of(label), 4);
  std::string lines, line(label);
  bool is_empty = true;  // holds no word yet
  const auto next_line = [&] {
    line.erase(line.find_last_not_of(' ') + 1);
    lines += line + "\n";
    line.assign(indent, ' ');
    is_empty = true;
  };
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (word.empty()) continue;
    const auto room = [&] { return most - std::min(most, columns_of(line) + (is_empty ? 0 : 1)); };
    if (columns_of(word) > room() && columns_of(line) > indent) next_line();
    // A word longer than a line goes on in the next.
    while (columns_of(word) > room()) {
      const size_t part = bytes_of(word, room());
      line += word.substr(0, part);
      word.remove_prefix(part);
      next_line();
    }
    line += (is_empty ? "" : " ") + std::string(word);
    is_empty = false;
  }
  return lines + line + "\n";
}

}  // namespace tidepool::cli
