#include "why_text.h"

#include <algorithm>
#include <ostream>

#include "console_width.h"
#include "grid.h"
#include "panel_text.h"
#include "tidepool/analyze/dependence.h"
#include "tidepool/creation.h"
#include "window_panels.h"
#include "words.h"

namespace tidepool::cli {

namespace {

using analyze::WindowAxis;
using analyze::WindowTaps;
using Kind = WindowAxis::Kind;

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
    const PanelText text(layer, axis, options);
    text.print(out);
    if (const std::string legend = text.legend(); !legend.empty()) out << wrapped("  signs   ", legend, options.width);
  }
  if (options.output) return;
  out << wrapped("  size    ", axis.size, options.width);
  print_unread(axis, options, out);
}

std::string cells_text(const OneLayer& layer, const std::vector<WindowAxis>& axes, const WhyOptions& options) {
  std::string text, cell;
  for (const int64_t at : options.output.value_or(std::vector<int64_t>{})) join(cell, std::to_string(at), ",");
  for (const WindowAxis& axis : axes) {
    const WindowTaps taps = analyze::window_taps(layer.network, OneLayer::node, axis.dim, chosen_output(axis, options).value_or(0));
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
