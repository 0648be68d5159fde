#include <charconv>
#include <memory>
#include <ostream>
#include <vector>

#include "app.h"
#include "console_width.h"
#include "file_name.h"
#include "network_source.h"
#include "picture_href.h"
#include "prove.h"
#include "tidepool/analyze/cell.h"
#include "tidepool/analyze/dependence.h"
#include "tidepool/analyze/html.h"
#include "tidepool/analyze/json.h"
#include "tidepool/analyze/markdown.h"
#include "tidepool/analyze/report.h"
#include "tidepool/analyze/svg.h"
#include "tidepool/analyze/table.h"
#include "tidepool/error.h"
#include "tidepool/io/atomic_file.h"

namespace tidepool::cli {

namespace {

struct ShapeArgs {
  std::string first, second;  // SHAPE and layers, or the model alone
  NetworkOptions network;
  bool json = false, markdown = false, prove = false;
  std::string html, svg, field_svg, picture, layer, cell;
  int width = 0;

  bool asks_for_cell() const { return !layer.empty() || !cell.empty(); }
};

analyze::Network network_of(const ShapeArgs& args) {
  if (!args.second.empty()) return read_network("shape", args.first, args.second, args.network);
  return read_network("shape", "", args.first, args.network);
}

void check_args(const ShapeArgs& args) {
  const auto refuse = [](const std::string& message) { throw Error(ErrorCode::invalid_argument, "shape: " + message); };
  if (args.json && args.markdown) refuse("--json and --markdown are given, choose one");
  if (args.markdown && args.asks_for_cell() && args.field_svg.empty()) refuse("--markdown has no form for one cell; --json has");
  if (args.prove && (args.json || args.markdown)) refuse("--prove answers in words, without --json and --markdown");
  if (!args.picture.empty() && args.field_svg.empty() && args.html.empty()) refuse("--picture needs --field-svg or --html");
  std::vector<std::string> files;
  for (const std::string& file : {args.html, args.svg, args.field_svg}) {
    if (file.empty()) continue;
    if (file == "-") refuse("--html, --svg and --field-svg need the name of a file");
    for (const std::string& other : files)
      if (file == other) refuse("two outputs have the name '" + file + "'");
    files.push_back(file);
    for (const std::string& input : {args.second.empty() ? args.first : args.second, args.picture})
      if (!input.empty() && input != "-" && same_file(parse_file_name(input), parse_file_name(file)))
        refuse("'" + file + "' is an input and an output");
  }
}

// A layer by its name, or the last output.
int chosen_layer(const analyze::Network& network, const std::string& name) {
  return name.empty() ? network.outputs().back() : network.find(name);
}

// "2,3" or "2x3"; the middle if the text is empty.
std::vector<int64_t> parse_cell(const analyze::Network& network, int node, const std::string& text) {
  const analyze::Node& layer = network.node(node);
  if (!layer.is_known())
    throw Error(ErrorCode::unsupported, "shape: layer '" + layer.name + "' is not known, or depends on one that is not");
  std::vector<int64_t> cell;
  if (text.empty()) {
    for (int dim = 2; dim < layer.shape.rank; ++dim) cell.push_back((layer.shape[dim] - 1) / 2);
    return cell;
  }
  const char* const end = text.data() + text.size();
  for (const char* at = text.data();; ++at) {
    int64_t number = 0;
    const auto [behind, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (behind != end && *behind != ',' && *behind != 'x'))
      throw Error(ErrorCode::parse, "shape: --cell needs one position for each spatial dimension, such as 2,3, got '" + text + "'");
    cell.push_back(number);
    at = behind;
    if (at == end) break;
  }
  (void)analyze::one_cell(layer.shape, cell);  // checks it
  return cell;
}

// Files that are replaced together, when all of them are complete.
class Outputs {
 public:
  void add(const std::string& path, const std::string& text) {
    if (path.empty()) return;
    files_.push_back(std::make_unique<io::AtomicFile>(path));
    files_.back()->write(text.data(), text.size());
  }
  void commit() {
    for (const auto& file : files_) file->commit();
  }

 private:
  std::vector<std::unique_ptr<io::AtomicFile>> files_;
};

int shape(const ShapeArgs& args, Console& console) {
  check_args(args);
  const analyze::Network network = network_of(args);
  const analyze::Report report = analyze::analyze(network, args.network.report_options());
  const int node = chosen_layer(network, args.layer);
  const bool needs_cell = args.asks_for_cell() || !args.field_svg.empty() || args.prove;
  const std::vector<int64_t> cell = needs_cell ? parse_cell(network, node, args.cell) : std::vector<int64_t>();
  const std::string picture = picture_href("shape", args.picture);
  const int width = console_width(args.width);

  ProofText proof{.text = {}, .holds = true};
  if (args.prove) proof = prove_text(network, node, cell);
  std::string text;
  if (args.prove)
    text = proof.text;
  else if (args.asks_for_cell() && args.json)
    text = analyze::cell_json(network, report, node, cell);
  else if (args.json)
    text = analyze::to_json(network, report);
  else if (args.markdown)
    text = analyze::to_markdown(network, report);
  else if (args.asks_for_cell())
    text = analyze::cell_text(network, report, node, cell, width);
  else
    text = analyze::to_table(network, report, {.columns = width, .colour = console.colour});

  Outputs files;
  if (!args.html.empty()) files.add(args.html, analyze::to_html(network, report, {.picture_href = picture}));
  if (!args.svg.empty()) files.add(args.svg, analyze::chain_svg(network, report));
  if (!args.field_svg.empty()) {
    analyze::FieldPicture field = args.prove ? effective_picture(network, node, cell) : analyze::FieldPicture();
    field.picture_href = picture;
    files.add(args.field_svg, analyze::field_svg(network, node, cell, field));
  }
  files.commit();
  console.out << text;
  return proof.holds ? exit_ok : exit_mismatch;
}

}  // namespace

void add_shape(CLI::App& app, Action& chosen) {
  auto args = std::make_shared<ShapeArgs>();
  CLI::App* verb = app.add_subcommand("shape", "shapes, receptive fields, losses and costs of a network");
  verb->add_option("shape", args->first, "shape of the input, such as 3x64x64; or an ONNX model, which has one")
      ->required()
      ->type_name("SHAPE|FILE");
  verb->add_option("network", args->second, "layers, see below; or a file that holds them, or - for standard input")
      ->type_name("TEXT|FILE");
  args->network.add(*verb);
  verb->add_flag("--json", args->json, "answer in JSON, see docs/analyze-json.md");
  verb->add_flag("--markdown", args->markdown, "answer in Markdown");
  add_width(*verb, args->width);
  verb->add_option("--html", args->html, "also write a page with everything")->type_name("FILE");
  verb->add_option("--svg", args->svg, "also draw how the shapes and the field change")->type_name("FILE");
  verb->add_option("--layer", args->layer, "say what one cell of this layer sees [the output]")->type_name("NAME");
  verb->add_option("--cell", args->cell, "which cell: row and column [the middle]")->type_name("R,C");
  verb->add_option("--field-svg", args->field_svg, "also draw what that cell sees of the input")->type_name("FILE");
  verb->add_option("--picture", args->picture, "PNG behind the field in --field-svg and --html")->type_name("FILE");
  verb->add_flag("--prove", args->prove,
                 "run the network, compare the field of the cell with the cells that receive gradient, and show where it is large");
  verb->footer(
      "Layers are separated by commas:\n"
      "  conv 3x3 32 p1 s2 d2 g4      kernel, output channels, padding, stride, dilation, groups\n"
      "  max 2, avg 3 s2 p1 ceil      pooling, also min, sum, lp; gap and gmp are global\n"
      "  relu, bn, up 2, linear 10, flatten, softmax, …\n"
      "  ( … ) x3                     the same layers three times\n"
      "  [ … | … ] concat             branches, then concat, add or mul\n"
      "  block: conv 3x3 8            a name, for --layer, `from block` and `add block`\n\n"
      "In a narrow window the table leaves out the columns pad, bytes, mult-adds, params and stride,\n"
      "in this order, and then becomes a list.\n\n"
      "Examples:\n"
      "  tidepool shape 3x64x64 \"conv 3x3 32 p1, relu, max 2, conv 3x3 64 p1, relu, max 2\"\n"
      "  tidepool shape 1x7x7 \"max 2\" --json\n"
      "  tidepool shape 3x64x64 network.txt --html network.html\n"
      "  tidepool shape model.onnx --input 1x3x480x640 --size batch=8\n"
      "  tidepool shape 3x64x64 network.txt --layer conv2 --cell 3,5 --field-svg field.svg --picture photo.png\n"
      "  tidepool shape 3x64x64 \"conv 3x3 8 d2, max 2\" --cell 0,0 --prove");
  verb->callback([args, &chosen] { chosen = [args](Console& console) { return shape(*args, console); }; });
}

}  // namespace tidepool::cli
