#include "why_text.h"

#include <algorithm>
#include <ostream>

#include "console_width.h"
#include "grid.h"
#include "tidepool/analyze/dependence.h"
#include "tidepool/creation.h"
#include "window_panels.h"
#include "words.h"

namespace tidepool::cli {

namespace {

using analyze::WindowAxis;
using analyze::WindowTaps;
using Kind = WindowAxis::Kind;

std::string paint(std::string text, const char* codes, bool colour) { return colour ? codes + std::move(text) + "\033[0m" : text; }
constexpr const char *window_colour = "\033[30;46m", *lost_colour = "\033[2;31m";

// What a position is called in a drawing: its number, p for padding, - for what lies behind the padding.
std::string position_text(const WindowAxis& axis, int64_t at) {
  if (at >= 0 && at < axis.input) return std::to_string(at);
  return at >= -axis.padding.before && at < axis.input + axis.padding.after ? "p" : "-";
}

class PanelText {
 public:
  PanelText(const OneLayer& layer, const WindowAxis& axis, const WhyOptions& options) : layer_(layer), axis_(axis), options_(options) {
    label_ = std::max<size_t>(5, 4 + std::to_string(axis.output - 1).size());
  }

  void print(std::ostream& out) {
    PanelOptions shape{.fits = {}, .only = chosen_output(axis_, options_)};
    if (options_.all) shape.most_outputs = INT64_MAX;
    // Notes behind the rows take room only if there are any, which is known when the panels are.
    for (const size_t notes : {size_t{0}, size_t{10}}) {
      const auto room = static_cast<int64_t>(options_.width) - 3 - static_cast<int64_t>(label_ + notes);
      shape.fits = [this, room](int64_t low, int64_t high) {
        return high - low < room && (high - low + 1) * static_cast<int64_t>(digits(low, high) + 2) <= room;
      };
      panels_ = window_panels(layer_, axis_, shape);
      has_notes_ = notes_differ();
      if (!has_notes_) break;
    }
    for (const WindowPanel& panel : panels_) {
      if (panel.skipped > 0) out << wrapped("  ", "... " + std::to_string(panel.skipped) + " more outputs ...", options_.width);
      panel.is_list ? print_list(panel, out) : print_rows(panel, out);
    }
  }

  // What the signs of the drawing mean that are not numbers: "p is padding, - lies behind it".
  std::string legend() const {
    bool padding = false, behind = false, skipped = false;
    for (const WindowPanel& panel : panels_) {
      if (panel.is_list) continue;
      for (int64_t at = panel.low; at <= panel.high; ++at) {
        padding = padding || position_text(axis_, at) == "p";
        behind = behind || position_text(axis_, at) == "-";
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

 private:
  bool notes_differ() const {
    if (axis_.kind == Kind::interpolated) return true;
    if (!divides(layer_)) return false;
    return std::ranges::any_of(panels_, [&](const WindowPanel& panel) {
      return std::ranges::any_of(panel.rows, [&](const WindowRow& row) {
        return row.taps.count != row.taps.taps || row.taps.count != panels_[0].rows[0].taps.count;
      });
    });
  }

  std::string label(const std::string& text) const { return "  " + text + std::string(label_ - text.size() + 1, ' '); }
  std::string label(int64_t output) const { return label("out " + std::to_string(output)); }

  std::string note(const WindowTaps& taps) const {
    if (taps.coordinate) return "  at " + to_string(*taps.coordinate);
    return has_notes_ ? "  /" + divisor_text(taps) : "";
  }

  // The width of the positions from low to high.
  size_t digits(int64_t low, int64_t high) const {
    return std::to_string(std::clamp<int64_t>(std::max(low, high), 0, axis_.input - 1)).size();
  }

  static std::string aligned(const std::string& text, size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
  }

  void print_rows(const WindowPanel& panel, std::ostream& out) const {
    const size_t width = digits(panel.low, panel.high);
    std::string cells = label("cells");
    for (int64_t at = panel.low; at <= panel.high; ++at) {
      const std::string padded = aligned(position_text(axis_, at), width);
      cells += is_unread(axis_, at) ? paint(options_.colour ? " " + padded + " " : "(" + padded + ")", lost_colour, options_.colour)
                                    : " " + padded + " ";
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

  std::string window(const WindowTaps& taps, size_t width) const {
    std::string text;
    for (int64_t at = taps.first; at <= taps.last(); ++at) {
      const std::string cell = (at - taps.first) % taps.step == 0 ? position_text(axis_, at) : ".";
      const char open = at == taps.first && !options_.colour ? '[' : ' ', close = at == taps.last() && !options_.colour ? ']' : ' ';
      text += open + aligned(cell, width) + close;
    }
    return paint(std::move(text), window_colour, options_.colour);
  }

  void print_list(const WindowPanel& panel, std::ostream& out) const {
    for (const WindowRow& row : panel.rows) out << wrapped(label(row.output), taps_text(row.taps) + note(row.taps), options_.width);
  }

  // "0-199", "0, 2, ... 198 (100 cells), 1 in the padding".
  static std::string taps_text(const WindowTaps& taps) {
    std::string text;
    const int64_t last = taps.begin + (taps.count - 1) * taps.step;
    if (taps.count == 0) {
      text = "no cell";
    } else if (taps.step == 1 || taps.count == 1) {
      text = std::to_string(taps.begin) + (taps.count > 1 ? "-" + std::to_string(last) : std::string());
    } else {
      text = std::to_string(taps.begin) + ", " + std::to_string(taps.begin + taps.step) + ", ... " + std::to_string(last);
    }
    if (taps.count > 1) text += " (" + std::to_string(taps.count) + " cells)";
    if (taps.padded_count > taps.count) text += ", " + std::to_string(taps.padded_count - taps.count) + " in the padding";
    if (taps.taps > taps.padded_count && taps.padded_count >= taps.count)
      text += ", " + std::to_string(taps.taps - taps.padded_count) + " behind it";
    return text;
  }

  const OneLayer& layer_;
  const WindowAxis& axis_;
  const WhyOptions& options_;
  size_t label_ = 0;
  std::vector<WindowPanel> panels_;
  bool has_notes_ = false;
};

// A cell of the plane, numbered row by row, with what no output reads, and the chosen output's window.
void print_plane(const OneLayer& layer, const std::vector<WindowAxis>& axes, const WhyOptions& options, std::ostream& out) {
  if (layer.rank != 2 || axes.size() != 2 || axes[0].kind == Kind::fractional) return;
  const int64_t rows = axes[0].input, columns = axes[1].input;
  constexpr int64_t most_rows = 24;
  if (rows > most_rows || columns > most_rows) return;
  const auto digits = static_cast<int64_t>(std::to_string(rows * columns - 1).size());
  if (columns * (digits + 2) + 2 > options.width) return;
  std::vector<WindowTaps> taps;
  if (options.output)
    for (const WindowAxis& axis : axes)
      taps.push_back(analyze::window_taps(layer.network, OneLayer::node, axis.dim, *chosen_output(axis, options)));
  const auto reads = [](const WindowTaps& t, int64_t at) {
    return t.count > 0 && at >= t.begin && at <= t.begin + (t.count - 1) * t.step && (at - t.begin) % t.step == 0;
  };
  int64_t lost = 0;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) lost += is_unread(axes[0], r) || is_unread(axes[1], c) ? 1 : 0;
  if (lost == 0 && !options.output) return;
  const auto mark = [&](int64_t r, int64_t c) {
    if (options.output && reads(taps[0], r) && reads(taps[1], c)) return Mark::window;
    return is_unread(axes[0], r) || is_unread(axes[1], c) ? Mark::dropped : Mark::none;
  };
  out << "\n"
      << wrapped("",
                 "the plane, its cells numbered row by row" +
                     (lost > 0 ? ": " + std::to_string(lost) + " of " + std::to_string(rows * columns) + " are read by no output"
                               : std::string()),
                 options.width);
  print_beside(out, {draw_grid(arange({rows, columns}), mark, options.colour)});
}

// "2, 5, 8, …".
std::string unread_text(const WindowAxis& axis, const analyze::RangeSet& cells) {
  constexpr size_t most_ranges = 8;
  if (axis.unread_is_complete || cells.ranges().size() <= most_ranges) return to_string(cells, most_ranges);
  const auto& ranges = cells.ranges();
  return to_string(analyze::RangeSet::of({ranges.begin(), ranges.begin() + most_ranges})) + ", …";
}

void print_unread(const WindowAxis& axis, const WhyOptions& options, std::ostream& out) {
  if (axis.kind == Kind::fractional) return;
  if (axis.unread.empty())
    out << wrapped("  unread  ", axis.unread_is_complete ? "none" : "not known: the axis is too long to look at every cell", options.width);
  for (const analyze::Unread& unread : axis.unread)
    out << wrapped("  unread  ", unread_text(axis, unread.cells) + ": " + unread.reason, options.width);
  if (axis.remedies.empty()) return;
  out << "  kept by any of\n";
  for (std::string remedy : axis.remedies) {
    // The title names the axes.
    if (const std::string along = " along " + axis.name; remedy.ends_with(along)) remedy.resize(remedy.size() - along.size());
    out << wrapped(options.width < 40 ? "    " : "          ", remedy, options.width);
  }
}

void print_axes(const OneLayer& layer, const std::vector<WindowAxis>& group, const WhyOptions& options, std::ostream& out) {
  const WindowAxis& axis = group[0];
  out << wrapped("", title_of(group) + (windows_text(axis).empty() ? "" : "; " + windows_text(axis)), options.width);
  if (axis.kind == Kind::fractional) {
    out << wrapped("  ",
                   "Windows of " + std::to_string(axis.kernel) +
                       " cells begin at random places, others for every sample and channel; what lies between them is lost.",
                   options.width);
  } else {
    PanelText text(layer, axis, options);
    text.print(out);
    if (const std::string legend = text.legend(); !legend.empty()) out << wrapped("  signs   ", legend, options.width);
  }
  if (options.output) return;
  out << wrapped("  size    ", axis.size, options.width);
  print_unread(axis, options, out);
}

std::string cells_text(const OneLayer& layer, const std::vector<WindowAxis>& axes, const WhyOptions& options) {
  std::string text, cell;
  for (const int64_t at : *options.output) join(cell, std::to_string(at), ",");
  for (const WindowAxis& axis : axes) {
    const WindowTaps taps = analyze::window_taps(layer.network, OneLayer::node, axis.dim, *chosen_output(axis, options));
    std::vector<Range> ranges;
    constexpr int64_t most_listed = 1000;
    for (int64_t i = 0; i < std::min(taps.count, taps.step == 1 ? 1 : most_listed); ++i) {
      const int64_t at = taps.begin + i * taps.step;
      ranges.push_back({at, taps.step == 1 ? taps.begin + taps.count : at + 1});
    }
    join(text, axis.name + " " + to_string(analyze::RangeSet::of(std::move(ranges)), 8), ", ");
  }
  return "output " + cell + " reads " + text;
}

}  // namespace

std::optional<int64_t> chosen_output(const WindowAxis& axis, const WhyOptions& options) {
  if (!options.output) return std::nullopt;
  return (*options.output)[static_cast<size_t>(axis.dim - 2)];
}

bool divides(const OneLayer& layer) {
  const auto* pool = std::get_if<analyze::Pool>(&layer.layer());
  const auto* adaptive = std::get_if<analyze::AdaptivePool>(&layer.layer());
  return (pool != nullptr && pool->op == Op::avg) || (adaptive != nullptr && adaptive->op == Op::avg);
}

std::string divisor_text(const WindowTaps& taps) {
  if (taps.padded_count == taps.count) return std::to_string(taps.count);
  return std::to_string(taps.padded_count) + " or " + std::to_string(taps.count);
}

std::string windows_text(const WindowAxis& axis) {
  const auto number = [](const char* name, int64_t value) { return std::string(name) + " " + std::to_string(value); };
  if (axis.kind == Kind::fractional) return number("kernel", axis.kernel);
  if (axis.kind != Kind::regular && axis.kind != Kind::transposed) return "";
  std::string text = number("kernel", axis.kernel) + ", " + number("stride", axis.stride);
  if (axis.padding != Sides(0)) text += ", " + number("padding", axis.padding.before);
  if (axis.padding.after != axis.padding.before) text += ":" + std::to_string(axis.padding.after);
  if (axis.dilation != 1) text += ", " + number("dilation", axis.dilation);
  return text;
}

std::vector<std::vector<WindowAxis>> alike(const std::vector<WindowAxis>& axes, const WhyOptions& options) {
  std::vector<std::vector<WindowAxis>> groups;
  const auto same = [&](const WindowAxis& a, const WindowAxis& b) {
    return a.kind == b.kind && a.input == b.input && a.size == b.size && windows_text(a) == windows_text(b) && a.output == b.output &&
           a.rounding == b.rounding && chosen_output(a, options) == chosen_output(b, options);
  };
  for (const WindowAxis& axis : axes) {
    const auto group = std::ranges::find_if(groups, [&](const auto& known) { return same(known[0], axis); });
    if (group == groups.end())
      groups.push_back({axis});
    else
      group->push_back(axis);
  }
  return groups;
}

std::string title_of(const std::vector<WindowAxis>& group) {
  std::string names = group[0].name;
  for (size_t i = 1; i < group.size(); ++i) names += (i + 1 == group.size() ? " and " : ", ") + group[i].name;
  return (group.size() > 1 ? "axes " : "axis ") + names + ": " + std::to_string(group[0].input) + " to " + std::to_string(group[0].output);
}

void print_why(const OneLayer& layer, const std::vector<WindowAxis>& axes, const WhyOptions& options, std::ostream& out) {
  out << wrapped("", to_string(layer.layer()) + ": " + to_string(layer.input()) + " -> " + to_string(layer.output()), options.width);
  if (options.output) out << wrapped("", cells_text(layer, axes, options), options.width);
  for (const auto& group : alike(axes, options)) {
    out << "\n";
    print_axes(layer, group, options, out);
  }
  print_plane(layer, axes, options, out);
}

}  // namespace tidepool::cli
