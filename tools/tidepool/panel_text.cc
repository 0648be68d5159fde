#include "panel_text.h"

#include <algorithm>
#include <ostream>

#include "console_width.h"
#include "words.h"

namespace tidepool::cli {

namespace {

using analyze::WindowAxis;
using analyze::WindowTaps;

constexpr const char *window_colour = "\033[30;46m", *lost_colour = "\033[2;31m";

std::string paint(std::string text, const char* codes, bool colour) { return colour ? codes + std::move(text) + "\033[0m" : text; }

std::string aligned(const std::string& text, size_t width) { return std::string(width - std::min(width, text.size()), ' ') + text; }

// "0-199 (200 cells)", "0, 2, ... 198 (100 cells), 1 in the padding".
std::string taps_text(const WindowTaps& taps) {
  const int64_t last = taps.begin + (taps.count - 1) * taps.step;
  std::string text = taps.count == 0 ? "no cell" : std::to_string(taps.begin);
  if (taps.count > 1)
    text += (taps.step == 1 ? "-" : ", " + std::to_string(taps.begin + taps.step) + ", ... ") + std::to_string(last) + " (" +
            std::to_string(taps.count) + " cells)";
  if (taps.padded_count > taps.count) text += ", " + std::to_string(taps.padded_count - taps.count) + " in the padding";
  if (taps.taps > taps.padded_count) text += ", " + std::to_string(taps.taps - taps.padded_count) + " behind it";
  return text;
}

}  // namespace

PanelText::PanelText(const OneLayer& layer, const WindowAxis& axis, const WhyOptions& options)
    : layer_(layer), axis_(axis), options_(options), label_(std::max<size_t>(5, 4 + std::to_string(axis.output - 1).size())) {
  PanelOptions shape{.fits = {}, .only = chosen_output(axis_, options_)};
  if (options_.all) shape.most_outputs = INT64_MAX;
  // Notes behind the rows take room, and are known when the panels are. The panels hold the same outputs in both rounds.
  size_t longest = 0;
  for (int round = 0; round < 2; ++round) {
    const auto room = static_cast<int64_t>(options_.width) - 3 - static_cast<int64_t>(label_ + longest);
    shape.fits = [this, room](int64_t low, int64_t high) {
      return high - low < room && (high - low + 1) * static_cast<int64_t>(digits(low, high) + 2) <= room;
    };
    panels_ = window_panels(layer_, axis_, shape);
    has_notes_ = notes_differ();
    if (!has_notes_) break;
    for (const WindowPanel& panel : panels_)
      for (const WindowRow& row : panel.rows) longest = std::max(longest, note(row.taps).size());
  }
}

void PanelText::print(std::ostream& out) const {
  for (const WindowPanel& panel : panels_) {
    if (panel.skipped > 0) out << wrapped("  ", "... " + std::to_string(panel.skipped) + " more outputs ...", options_.width);
    panel.is_list ? print_list(panel, out) : print_rows(panel, out);
  }
}

std::string PanelText::legend() const {
  bool padding = false, behind = false, skipped = false;
  for (const WindowPanel& panel : panels_) {
    if (panel.is_list) continue;
    for (int64_t at = panel.low; at <= panel.high; ++at) {
      padding = padding || position_text(at) == "p";
      behind = behind || position_text(at) == "-";
    }
    for (const WindowRow& row : panel.rows) skipped = skipped || row.taps.step > 1;
  }
  std::string text;
  if (padding) join(text, "p is padding", ", ");
  if (behind) join(text, "- lies behind " + std::string(padding ? "it" : "the input"), ", ");
  if (skipped) join(text, ". is skipped", ", ");
  if (!has_notes_ || !divides(layer_)) return text;
  join(text, "/ is what an average is divided by", ", ");
  const bool two = std::ranges::any_of(panels_, [](const WindowPanel& panel) {
    return std::ranges::any_of(panel.rows, [](const WindowRow& row) { return row.taps.padded_count != row.taps.count; });
  });
  return text + (two ? ": with the padding counted, or without" : "");
}

bool PanelText::notes_differ() const {
  if (axis_.kind == WindowAxis::Kind::interpolated) return true;
  if (!divides(layer_)) return false;
  return std::ranges::any_of(panels_, [&](const WindowPanel& panel) {
    return std::ranges::any_of(panel.rows, [&](const WindowRow& row) {
      return row.taps.count != row.taps.taps || row.taps.count != panels_[0].rows[0].taps.count;
    });
  });
}

std::string PanelText::label(const std::string& text) const { return "  " + text + std::string(label_ - text.size() + 1, ' '); }
std::string PanelText::label(int64_t output) const { return label("out " + std::to_string(output)); }

std::string PanelText::note(const WindowTaps& taps) const {
  if (taps.coordinate) return "  at " + to_string(*taps.coordinate);
  return has_notes_ ? "  /" + divisor_text(taps) : "";
}

// The width of the positions from low to high.
size_t PanelText::digits(int64_t low, int64_t high) const {
  return std::to_string(std::clamp<int64_t>(std::max(low, high), 0, axis_.input - 1)).size();
}

// What a position is called: its number, p for padding, - for what lies behind the padding.
std::string PanelText::position_text(int64_t at) const {
  if (at >= 0 && at < axis_.input) return std::to_string(at);
  return at >= -axis_.padding.before && at < axis_.input + axis_.padding.after ? "p" : "-";
}

void PanelText::print_rows(const WindowPanel& panel, std::ostream& out) const {
  const size_t width = digits(panel.low, panel.high);
  std::string cells = label("cells");
  for (int64_t at = panel.low; at <= panel.high; ++at) {
    const std::string padded = aligned(position_text(at), width), spaced = " " + padded + " ";
    const bool unread = is_unread(axis_, at);
    cells += !unread ? spaced : options_.colour ? paint(spaced, lost_colour, true) : "(" + padded + ")";
  }
  cells.erase(cells.find_last_not_of(' ') + 1);
  out << cells << "\n";
  for (const WindowRow& row : panel.rows) {
    std::string line = label(row.output);
    if (row.taps.taps == 0) {
      out << line << " reads no cell\n";
      continue;
    }
    line.append(static_cast<size_t>(row.taps.first - panel.low) * (width + 2), ' ');
    line += window(row.taps, width);
    const std::string behind = note(row.taps);
    if (!behind.empty()) line.append(static_cast<size_t>(panel.high - row.taps.last()) * (width + 2), ' ');
    out << line << behind << "\n";
  }
}

std::string PanelText::window(const WindowTaps& taps, size_t width) const {
  std::string text;
  for (int64_t at = taps.first; at <= taps.last(); ++at) {
    const std::string cell = (at - taps.first) % taps.step == 0 ? position_text(at) : ".";
    const char open = at == taps.first && !options_.colour ? '[' : ' ', close = at == taps.last() && !options_.colour ? ']' : ' ';
    text += open + aligned(cell, width) + close;
  }
  return paint(std::move(text), window_colour, options_.colour);
}

void PanelText::print_list(const WindowPanel& panel, std::ostream& out) const {
  for (const WindowRow& row : panel.rows) out << wrapped(label(row.output), taps_text(row.taps) + note(row.taps), options_.width);
}

}  // namespace tidepool::cli
