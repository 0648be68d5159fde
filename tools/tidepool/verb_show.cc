#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <sstream>

#include "app.h"
#include "console_width.h"
#include "number_options.h"
#include "option_text.h"
#include "show_run.h"
#include "show_svg.h"
#include "show_text.h"
#include "show_words.h"
#include "small_array.h"
#include "svg_page.h"
#include "tidepool/creation.h"
#include "words.h"

namespace tidepool::cli {

namespace {

struct ShowArgs {
  std::string layer, dtype = "f64";
  std::optional<std::string> file, array, random, grad, norm_type, count_include_pad, svg;
  uint64_t seed = 0;
  int rank = 0, width = 0;
  bool all = false, json = false;
};

// Whole numbers from 0 to 9, which are easy to follow.
Tensor random_digits(const std::string& text, uint64_t seed) {
  Dims shape;
  try {
    read_text(text, shape);
  } catch (const Error& e) {
    throw Error(e.code(), "show: --random: " + e.message());
  }
  const Result<int64_t> cells = checked_numel(shape);
  if (shape.rank < 1 || shape.rank > 3 || !cells || *cells < 1 || *cells > most_small_cells)
    throw Error(ErrorCode::invalid_argument,
                "show: --random takes 1 to 3 sizes and at most " + std::to_string(most_small_cells) + " numbers, got " + text);
  Tensor digits = rand(shape, Seed(seed), DType::f64);
  for (double& digit : digits.flat<double>()) digit = std::floor(10 * digit);
  return digits;
}

Tensor input_of(const ShowArgs& args) {
  if ((args.file ? 1 : 0) + (args.array ? 1 : 0) + (args.random ? 1 : 0) > 1)
    throw Error(ErrorCode::invalid_argument, "show: takes one of a file, --array and --random");
  Tensor x = args.file    ? read_small_array("'" + *args.file + "'", *args.file)
             : args.array ? parse_small_array("--array", *args.array)
                          : random_digits(args.random.value_or("4x4"), args.seed);
  if (args.rank != 0) x = with_rank("array", x, args.rank);
  if (x.rank() > 3)
    throw Error(ErrorCode::shape_mismatch, "show: takes arrays of 1 to 3 dims, without batch and channels, got " + to_string(x.shape()));
  return x.to(args.dtype == "f32" ? DType::f32 : DType::f64);
}

ShowOptions options_of(const ShowArgs& args) {
  ShowOptions options{.seed = args.seed};
  const auto read = [](const char* name, const std::optional<std::string>& text, auto& value) {
    try {
      if (text) read_text(*text, value);
    } catch (const Error& e) {
      throw Error(e.code(), "show: " + std::string(name) + ": " + e.message());
    }
  };
  read("--norm-type", args.norm_type, options.norm_type);
  read("--count-include-pad", args.count_include_pad, options.count_include_pad);
  if (args.grad) options.gradient = parse_small_array("--grad", *args.grad);
  return options;
}

// Nested lists, one level for each dim.
nlohmann::json json_of(const Tensor& array) {
  if (array.rank() == 0) return array.item();
  nlohmann::json list = nlohmann::json::array();
  for (int64_t i = 0; i < array.size(0); ++i) list.push_back(json_of(array[i]));
  return list;
}

nlohmann::json json_of(const Shown& shown) {
  nlohmann::json json{{"layer", to_string(shown.layer.layer())},
                      {"dtype", dtype_name(shown.input.dtype())},
                      {"input_shape", sizes_of(shown.input.shape())},
                      {"output_shape", sizes_of(shown.output.shape())},
                      {"input", json_of(shown.input)},
                      {"output", json_of(shown.output)},
                      {"output_gradient", json_of(shown.output_gradient)},
                      {"gradient", json_of(shown.gradient)},
                      {"windows", nlohmann::json::array()}};
  if (shown.indices.defined()) json["indices"] = json_of(shown.indices);
  for (const ShownWindow& window : shown.windows) {
    nlohmann::json one{{"output", sizes_of(window.output)}, {"cells", window.cells},    {"values", window.values},
                       {"result", window.result},           {"outside", window.padded}, {"text", computation(shown, window)}};
    if (window.winner >= 0) one["winner"] = window.winner, one["ties"] = window.ties;
    if (window.divisor > 0) one["divisor"] = window.divisor;
    json["windows"].push_back(std::move(one));
  }
  return json;
}

int show(const ShowArgs& args, Console& console) {
  const Shown shown = show_layer(input_of(args), args.layer, options_of(args));
  std::ostringstream text;
  if (args.json) {
    text << json_of(shown).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  } else {
    print_show(shown, {.width = console_width(args.width), .colour = console.colour, .all = args.all}, text);
  }
  if (args.svg) write_svg(*args.svg, show_svg(shown));
  console.out << text.str();
  return exit_ok;
}

}  // namespace

void add_show(CLI::App& app, Action& chosen) {
  auto args = std::make_shared<ShowArgs>();
  CLI::App* verb = app.add_subcommand("show", "pool a small array: its windows, the result, and where the gradient goes");
  verb->add_option("layer", args->layer, "one pooling layer, such as \"max 2\", see below")->required()->type_name("TEXT");
  verb->add_option("file", args->file, "array to read: .npy, or text with rows of numbers (.csv), or - for standard input")
      ->type_name("FILE");
  verb->add_option("--array", args->array, "the array itself: \"1 2 3; 4 5 6\"; slices are separated by |")->type_name("TEXT");
  verb->add_option("--random", args->random, "an array of this shape, with digits from 0 to 9 [4x4]")->type_name("SIZES");
  verb->add_option("--seed", args->seed, "of --random and of fractional windows [0]")
      ->check(whole_number_between(0, UINT64_MAX))
      ->type_name("N");
  verb->add_option("--grad", args->grad, "gradient with respect to the output, in the form of --array [ones]")->type_name("TEXT");
  verb->add_option("--rank", args->rank, "number of dims of the array [as it is; one row has 1]")
      ->check(whole_number_between(1, 3))
      ->type_name("N");
  verb->add_option("--dtype", args->dtype, "element type [f64]")->check(CLI::IsMember({"f32", "f64"}))->type_name("WORD");
  verb->add_option("--norm-type", args->norm_type, "of lp: the exponent, or inf [2]")->type_name("N");
  verb->add_option("--count-include-pad", args->count_include_pad, "of avg: whether the padding counts in the divisor [true]")
      ->type_name(words_of(CountPad()));
  verb->add_flag("--all", args->all, "every window, also if there are many");
  add_width(*verb, args->width);
  verb->add_option("--svg", args->svg, "also draw it into this file")->type_name("FILE");
  verb->add_flag("--json", args->json, "answer in JSON; NaN and infinity are null");
  verb->footer(
      "Layers: max, min, avg, sum, lp with kernel and s stride, p padding, d dilation, same, ceil,\n"
      "ceil_full; adaptive_avg, adaptive_max with a size; gap, gmp; fractional_max 2 out=2.\n"
      "Values are computed by the library, and the gradient by its automatic differentiation.\n\n"
      "Examples:\n"
      "  tidepool show \"max 2\"\n"
      "  tidepool show \"avg 2 s1\" --array \"1 2 3; 4 5 6; 7 8 9\"\n"
      "  tidepool show \"max 3 s1 p1\" --random 5x5 --seed 7 --svg max.svg\n"
      "  tidepool show \"avg 3 s2 p1\" --array \"1 2 3 4 5\" --count-include-pad false\n"
      "  tidepool show \"max 2\" array.csv --grad \"1 2; 3 4\"\n"
      "  printf '1 5\\n5 2\\n' | tidepool show \"max 2\" -");
  verb->callback([args, &chosen] { chosen = [args](Console& console) { return show(*args, console); }; });
}

}  // namespace tidepool::cli
