#include <filesystem>
#include <memory>
#include <ostream>
#include <string>

#include "app.h"
#include "console_width.h"
#include "network_source.h"
#include "tidepool/analyze/diff.h"
#include "tidepool/error.h"

namespace tidepool::cli {

namespace {

struct DiffArgs {
  std::string first, second, third;  // SHAPE, A and B, or A and B alone
  NetworkOptions network;
  bool json = false;
  int width = 0;
};

// Files are called by their names, networks in words A and B.
std::string name_of(const std::string& word, const std::string& other, const char* letter) {
  std::error_code ignored;
  const std::filesystem::path path(word), other_path(other);
  if (!std::filesystem::exists(path, ignored) || path.filename() == other_path.filename()) return letter;
  return path.filename().string();
}

int diff(const DiffArgs& args, Console& console) {
  const bool has_shape = !args.third.empty();
  const std::string shape = has_shape ? args.first : "";
  const std::string &a = has_shape ? args.second : args.first, &b = has_shape ? args.third : args.second;
  if (a == "-" && b == "-") throw Error(ErrorCode::invalid_argument, "diff: both networks cannot come from standard input");
  const analyze::Network net_a = read_network("diff", shape, a, args.network), net_b = read_network("diff", shape, b, args.network);
  const analyze::Options options = args.network.report_options();
  const analyze::Report report_a = analyze::analyze(net_a, options), report_b = analyze::analyze(net_b, options);
  const analyze::Compared first{net_a, report_a, name_of(a, b, "A")}, second{net_b, report_b, name_of(b, a, "B")};
  if (args.json)
    console.out << analyze::diff_json(first, second);
  else
    console.out << analyze::diff_table(first, second, {.columns = console_width(args.width), .colour = console.colour});
  return exit_ok;
}

}  // namespace

void add_diff(CLI::App& app, Action& chosen) {
  auto args = std::make_shared<DiffArgs>();
  CLI::App* verb = app.add_subcommand("diff", "two networks side by side: shapes, fields and costs");
  verb->add_option("shape", args->first, "shape of the input, such as 3x64x64; not for two ONNX models")
      ->required()
      ->type_name("SHAPE|FILE");
  verb->add_option("a", args->second, "layers, a file that holds them, or an ONNX model, as of `tidepool shape`")
      ->required()
      ->type_name("TEXT|FILE");
  verb->add_option("b", args->third, "the same for the other network")->type_name("TEXT|FILE");
  args->network.add(*verb);
  verb->add_flag("--json", args->json, "answer in JSON, see docs/analyze-json.md");
  add_width(*verb, args->width);
  verb->footer(
      "Between the columns of both networks stands = for equal layers, ~ for layers that take each other's place,\n"
      "< and > for layers that only the first or the second network has. In a narrow window the table leaves out the\n"
      "columns mult-adds, bytes, params and field, in this order, and then becomes a list.\n\n"
      "Examples:\n"
      "  tidepool diff 3x64x64 \"conv 3x3 32 p1, relu, max 2\" \"conv 3x3 32 p1, relu, conv 3x3 32 s2 p1\"\n"
      "  tidepool diff 3x224x224 before.txt after.txt --json\n"
      "  tidepool diff resnet18.onnx resnet50.onnx --memory-speed 50");
  verb->callback([args, &chosen] { chosen = [args](Console& console) { return diff(*args, console); }; });
}

}  // namespace tidepool::cli
