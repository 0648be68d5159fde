#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <sstream>

#include "app.h"
#include "console_width.h"
#include "number_options.h"
#include "option_text.h"
#include "svg_page.h"
#include "why_svg.h"
#include "why_text.h"
#include "window_panels.h"
#include "words.h"

namespace tidepool::cli {

namespace {

using analyze::WindowAxis;

constexpr int64_t most_shown = 100'000;  // outputs along one axis

struct WhyArgs {
  std::string shape, layer;
  std::optional<std::string> axis, output, svg;
  int rank = 0, width = 0;
  bool all = false, json = false;
};

// Reads an argument and names it in the error.
Dims read_sizes(const char* name, const std::string& text) {
  Dims sizes;
  try {
    read_text(text, sizes);
  } catch (const Error& e) {
    throw Error(e.code(), "why: " + std::string(name) + ": " + e.message());
  }
  return sizes;
}

std::vector<int64_t> read_output(const std::string& text, const OneLayer& layer) {
  const Dims cell = read_sizes("--output", text), &output = layer.output();
  if (cell.rank != layer.rank)
    throw Error(ErrorCode::invalid_argument, "why: --output must have one position per spatial dim, " + std::to_string(layer.rank) +
                                                 ", got " + std::to_string(cell.rank) + " in '" + text + "'");
  for (int i = 0; i < layer.rank; ++i)
    if (cell[i] < 0 || cell[i] >= output[2 + i])
      throw Error(ErrorCode::out_of_range, "why: --output must be inside the output, got " + std::to_string(cell[i]) + " of " +
                                               std::to_string(output[2 + i]) + " (axis " + std::string(axis_name(layer.rank, i)) + ")");
  return {cell.begin(), cell.end()};
}

std::vector<WindowAxis> chosen_axes(const WhyArgs& args, const OneLayer& layer) {
  std::vector<WindowAxis> axes = analyze::window_axes(layer.network, OneLayer::node);
  if (axes.empty())
    throw Error(ErrorCode::invalid_argument, "why: '" + to_string(layer.layer()) +
                                                 "' has no windows along a spatial axis, or changes none; tidepool shape shows all layers");
  if (!args.axis) return axes;
  std::string names;
  for (const WindowAxis& axis : axes) join(names, axis.name, ", ");
  std::erase_if(axes, [&](const WindowAxis& axis) { return axis.name != *args.axis; });
  if (axes.empty()) throw Error(ErrorCode::invalid_argument, "why: --axis must be one of " + names + ", got '" + *args.axis + "'");
  return axes;
}

const char* kind_name(WindowAxis::Kind kind) {
  switch (kind) {
    case WindowAxis::Kind::regular:
      return "regular";
    case WindowAxis::Kind::adaptive:
      return "adaptive";
    case WindowAxis::Kind::fractional:
      return "fractional";
    case WindowAxis::Kind::transposed:
      return "transposed";
    case WindowAxis::Kind::interpolated:
      return "interpolated";
    case WindowAxis::Kind::moved:
      return "moved";
    default:
      return "whole";
  }
}

// The windows of at most this many outputs, unless all are wanted.
nlohmann::json json_of_windows(const OneLayer& layer, const WindowAxis& axis, const WhyOptions& options) {
  nlohmann::json windows = nlohmann::json::array();
  PanelOptions shape{
      .fits = [](int64_t, int64_t) { return true; }, .most_outputs = 1000, .kept_at_ends = 500, .only = chosen_output(axis, options)};
  if (options.all) shape.most_outputs = INT64_MAX;
  for (const WindowPanel& panel : window_panels(layer, axis, shape))
    for (const WindowRow& row : panel.rows) {
      nlohmann::json window{{"output", row.output},
                            {"first", row.taps.first},
                            {"taps", row.taps.taps},
                            {"step", row.taps.step},
                            {"begin", row.taps.begin},
                            {"count", row.taps.count},
                            {"padded_count", row.taps.padded_count}};
      if (row.taps.coordinate) window["coordinate"] = row.taps.coordinate->value();
      windows.push_back(std::move(window));
    }
  return windows;
}

nlohmann::json json_of(const OneLayer& layer, const WindowAxis& axis, const WhyOptions& options) {
  nlohmann::json unread = nlohmann::json::array();
  for (const analyze::Unread& group : axis.unread) {
    nlohmann::json ranges = nlohmann::json::array();
    constexpr size_t most_ranges = 1000;
    for (const Range& range : group.cells.ranges())
      if (ranges.size() < most_ranges) ranges.push_back({range.begin, range.end});
    unread.push_back({{"ranges", ranges}, {"count", group.cells.count()}, {"reason", group.reason}});
  }
  nlohmann::json json{{"axis", axis.name},
                      {"dim", axis.dim},
                      {"windows", kind_name(axis.kind)},
                      {"input", axis.input},
                      {"output", axis.output},
                      {"size", axis.size},
                      {"unread", unread},
                      {"unread_is_complete", axis.unread_is_complete},
                      {"remedies", axis.remedies}};
  if (axis.kind == WindowAxis::Kind::regular || axis.kind == WindowAxis::Kind::transposed) {
    json["kernel"] = axis.kernel;
    json["stride"] = axis.stride;
    json["dilation"] = axis.dilation;
    json["padding"] = {axis.padding.before, axis.padding.after};
  }
  if (axis.kind != WindowAxis::Kind::fractional) json["outputs"] = json_of_windows(layer, axis, options);
  return json;
}

int why(const WhyArgs& args, Console& console) {
  const OneLayer layer = one_layer("why", read_sizes("shape", args.shape), args.rank, args.layer);
  WhyOptions options{.width = console_width(args.width), .colour = console.colour, .all = args.all, .output = {}};
  if (args.output) options.output = read_output(*args.output, layer);
  const std::vector<WindowAxis> axes = chosen_axes(args, layer);
  for (const WindowAxis& axis : axes)
    if (args.all && axis.output > most_shown)
      throw Error(ErrorCode::invalid_argument, "why: --all shows at most " + std::to_string(most_shown) + " outputs, got " +
                                                   std::to_string(axis.output) + " (axis " + axis.name + "); --output shows one");
  std::ostringstream text;
  if (args.json) {
    nlohmann::json json{{"layer", to_string(layer.layer())},
                        {"kind", analyze::kind_of(layer.layer())},
                        {"input_shape", sizes_of(layer.input())},
                        {"output_shape", sizes_of(layer.output())},
                        {"axes", nlohmann::json::array()}};
    for (const WindowAxis& axis : axes) json["axes"].push_back(json_of(layer, axis, options));
    text << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  } else {
    print_why(layer, axes, options, text);
  }
  if (args.svg) write_svg(*args.svg, why_svg(layer, axes, options));
  console.out << text.str();
  return exit_ok;
}

}  // namespace

void add_why(CLI::App& app, Action& chosen) {
  auto args = std::make_shared<WhyArgs>();
  CLI::App* verb = app.add_subcommand("why", "show what each output of one layer reads, what no output reads, and what would keep it");
  verb->add_option("shape", args->shape, "of the input: 7x7, 3x7x7 with channels, 1x3x7x7 with a batch, 100 for one spatial dim")
      ->required()
      ->type_name("SIZES");
  verb->add_option("layer", args->layer, "one layer, such as \"max 2\", see below")->required()->type_name("TEXT");
  verb->add_option("--rank", args->rank, "number of spatial dims, the last ones of the shape [1 for 100, 3 for five sizes, else 2]")
      ->check(whole_number_between(1, 3))
      ->type_name("N");
  verb->add_option("--axis", args->axis, "this axis alone: h, w, d, or l for one spatial dim")->type_name("NAME");
  verb->add_option("--output", args->output, "this cell of the output alone: 2,1")->type_name("CELL");
  verb->add_flag("--all", args->all, "every window, of long axes too");
  add_width(*verb, args->width);
  verb->add_option("--svg", args->svg, "also draw the windows into this file")->type_name("FILE");
  verb->add_flag("--json", args->json, "answer in JSON");
  verb->footer(
      "Layers: max, min, avg, sum, lp with kernel and s stride, p padding, d dilation, same, ceil,\n"
      "ceil_full; adaptive_avg, adaptive_max with a size; gap; conv and convt with kernel and\n"
      "channels; unpool; up with a factor, resize with a size; pad and crop.\n"
      "In the drawing, (6) is a cell that no output reads, p is padding, - lies behind the padding,\n"
      "and . is a cell that a dilated window skips.\n\n"
      "Examples:\n"
      "  tidepool why 7x7 \"max 2\"\n"
      "  tidepool why 64x112x112 \"max 3 s2 p1\" --output 0,5\n"
      "  tidepool why 100 \"avg 3 s2 p1 ceil\" --all\n"
      "  tidepool why 16x7x7 \"conv 3x3x3 8 s2\" --rank 3 --axis d\n"
      "  tidepool why 7x7 \"adaptive_avg 3\" --svg bins.svg");
  verb->callback([args, &chosen] { chosen = [args](Console& console) { return why(*args, console); }; });
}

}  // namespace tidepool::cli
