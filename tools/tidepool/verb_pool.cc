#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <vector>

#include "app.h"
#include "array_file.h"
#include "clipping.h"
#include "compare_picture.h"
#include "number_options.h"
#include "pool_args.h"
#include "pool_ops.h"
#include "progress.h"
#include "results.h"
#include "suggest.h"
#include "tidepool/executor.h"
#include "words.h"

namespace tidepool::cli {

namespace {

bool is_stream(const std::string& name) { return !name.empty() && parse_file_name(name).is_stream(); }

struct Pooling {
  ArrayFile input;
  Tensor indices;  // read or written
  Tensor compared;
  PoolOutcome outcome;
  int64_t clipped = 0;
};

// To standard error if the result itself goes to standard output.
void report(const PoolOp& op, const PoolArgs& args, const Pooling& done, Console& console) {
  const bool streams = parse_file_name(args.out).is_stream() || (op.indices == IndexUse::written && is_stream(args.indices));
  std::ostream& text = streams ? console.err : console.out;
  if (done.clipped > 0)
    console.err << "tidepool: warning: " << done.clipped << " of " << done.outcome.pooled.values.numel() << " results were clipped, "
                << range_text(done.input.array.dtype()) << "; --dtype i32 or f32 keeps them\n";
  const std::string function = op.function(args.rank);
  const Dims &from = done.input.array.shape(), &to = done.outcome.pooled.values.shape();
  const std::string_view dtype = dtype_name(done.input.array.dtype());
  const std::string& note = done.outcome.note;
  if (args.json) {
    nlohmann::json json{
        {"function", function},         {"in", args.in}, {"out", args.out},        {"dtype", dtype}, {"input_shape", sizes_of(from)},
        {"output_shape", sizes_of(to)}, {"note", note},  {"clipped", done.clipped}};
    if (!args.indices.empty()) json["indices"] = args.indices;
    if (args.compare) json["compare"] = *args.compare;
    text << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return;
  }
  text << function << ": " << args.in << " " << dtype << " " << to_string(from) << " -> " << args.out << " " << to_string(to) << "\n";
  if (!args.indices.empty()) text << "indices: " << args.indices << " " << dtype_name(done.indices.dtype()) << "\n";
  if (args.compare) text << "compare: " << *args.compare << " " << to_string(done.compared.shape()) << "\n";
  if (!note.empty()) text << "note: " << note << "\n";
}

Pooling pool_files(const PoolOp& op, const PoolArgs& args, Console& console) {
  const Progress progress("pooling " + args.in);
  const auto read = [&](const std::string& name) { return read_array(parse_file_name(name), args.rank, args.layout == "channels_last"); };
  Pooling done{.input = read(args.in), .indices = {}, .compared = {}, .outcome = {}};
  if (args.compare && done.input.kind != FileKind::png)
    throw Error(ErrorCode::invalid_argument, "pool: --compare needs a picture as input, got '" + args.in + "'");
  if (const auto dtype = parse_dtype(args.dtype)) done.input.array = done.input.array.to(*dtype);
  if (op.indices == IndexUse::read) done.indices = read(args.indices).array;
  const bool writes_indices = op.indices == IndexUse::written && !args.indices.empty();
  done.outcome = op.run(args.rank, args.flags, {.x = done.input.array, .indices = done.indices, .wants_indices = writes_indices});
  const Pooled& pooled = done.outcome.pooled;
  done.clipped = count_clipped(op, args.rank, args.flags, done.input.array, pooled.values);

  const FileKind kind = kind_of_result(parse_file_name(args.out), args.format, done.input.kind);
  std::vector<Result> results = {{parse_file_name(args.out), kind, pooled.values, "values"}};
  if (writes_indices) {
    done.indices = pooled.indices;
    const FileName name = parse_file_name(args.indices);
    results.push_back({name, kind_of_result(name, "", FileKind::npy), pooled.indices, "indices"});
  }
  if (args.compare) {
    done.compared = side_by_side(done.input.array, pooled.values);
    results.push_back({parse_file_name(*args.compare), FileKind::png, done.compared, "values"});
  }
  write_results(results, done.input, console.out);
  return done;
}

int pool(const PoolOp& op, const PoolArgs& args, Console& console) {
  check_args(op, args);
  if (args.threads != 0) set_num_threads(args.threads);
  report(op, args, pool_files(op, args, console), console);
  return exit_ok;
}

void add_indices(CLI::App& sub, const PoolOp& op, std::string& path) {
  const bool reads = op.indices == IndexUse::read;
  CLI::Option* option = sub.add_option("--indices", path,
                                       reads ? "indices of the maxima, a file that `tidepool pool max --indices` wrote"
                                             : "also write the index of each result in the input: .npy, .npz or .safetensors");
  option->type_name("FILE")->required(reads);
  // All ops accept the option, so that an op without indices can explain why it refuses it. Its help does not list the option.
  if (op.indices == IndexUse::none) option->group("");
}

// One line per example: "  tidepool pool max -k 2 in.npy -o out.npy".
std::string example_lines(const PoolOp& op) {
  std::istringstream examples(op.examples);
  std::string text;
  for (std::string line; std::getline(examples, line);) text += "\n  tidepool pool " + op.name() + " " + line;
  return text;
}

void add_op(CLI::App& verb, const PoolOp& op, Action& chosen) {
  auto args = std::make_shared<PoolArgs>();
  CLI::App* sub = verb.add_subcommand(op.name(), op.help);
  sub->add_option("in", args->in, "array or picture to read, or - for standard input; file.npz:name is one array of several")
      ->required()
      ->type_name("FILE");
  sub->add_option("-o,--out", args->out, "file to write, .npy, .npz, .png or .safetensors, or - for standard output")
      ->required()
      ->type_name("FILE");
  op.add_flags(args->flags, *sub);
  add_indices(*sub, op, args->indices);
  sub->add_option("--compare", args->compare, "also write this .png: the input picture, and beside it the output, as high as the input")
      ->type_name("FILE");
  sub->add_option("--rank", args->rank, "number of spatial dims, the last ones of the array [2]")
      ->check(whole_number_between(1, 3))
      ->type_name("N");
  sub->add_option("--layout", args->layout,
                  "dim order of .npy files: channels_first (N,C,H,W; C,H,W) or channels_last (N,H,W,C; H,W,C) [channels_first]")
      ->check(CLI::IsMember({"channels_first", "channels_last"}))
      ->type_name("WORD");
  sub->add_option("--format", args->format, "format of the output [by the name; for standard output, that of the input]")
      ->check(CLI::IsMember({"npy", "npz", "png", "safetensors"}))
      ->type_name("WORD");
  std::vector<std::string> dtypes;
  dtypes.reserve(std::size(all_dtypes));
  for (DType dtype : all_dtypes) dtypes.emplace_back(dtype_name(dtype));
  sub->add_option("--dtype", args->dtype, "convert the input to this element type first [as it is]")
      ->check(CLI::IsMember(dtypes))
      ->type_name("WORD");
  add_threads(*sub, args->threads, "number of threads [all cores]");
  sub->add_flag("--json", args->json, "answer in JSON");
  sub->footer(
      "Arrays are N,C,H,W or C,H,W or plain H,W (one dim more or fewer with --rank 1 or 3).\n"
      "Pictures are pooled per channel. Output files are written completely or not at all.\n"
      "Formats: .npy, .npz, .png, .safetensors; input is recognised by its contents.\n\n"
      "Examples:" +
      example_lines(op));
  sub->callback([args, &op, &chosen] { chosen = [args, &op](Console& console) { return pool(op, *args, console); }; });
}

}  // namespace

void add_pool(CLI::App& app, Action& chosen) {
  CLI::App* verb = app.add_subcommand("pool", "pool an array or a picture from file to file");
  for (const PoolOp& op : pool_ops()) add_op(*verb, op, chosen);
  // Unknown arguments are refused below, with the list of ops. This comes last, because ops that are added later would inherit the
  // setting.
  verb->require_subcommand(0, 1)->allow_extras();
  verb->footer("Example:\n  tidepool pool max -k 2 photo.png -o half.png\n  tidepool pool max --help");
  verb->callback([verb] {
    const auto extras = verb->remaining();
    if (!verb->get_subcommands().empty() && extras.empty()) return;
    std::string known;
    std::vector<std::string> names;
    for (const PoolOp& op : pool_ops()) {
      join(known, op.name());
      names.push_back(op.name());
    }
    const std::string what =
        extras.empty() ? "pool: which op?" : "pool: unknown op or option '" + extras.front() + "'" + suggestion(extras.front(), names);
    throw Error(ErrorCode::parse, what + " (there are " + known + ")");
  });
}

}  // namespace tidepool::cli
