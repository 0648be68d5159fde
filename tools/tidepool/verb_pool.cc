#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <vector>

#include "app.h"
#include "array_file.h"
#include "pool_ops.h"
#include "progress.h"
#include "tidepool/executor.h"
#include "words.h"

namespace tidepool::cli {

namespace {

struct PoolArgs {
  std::string in, out, indices, layout = "channels_first";
  int rank = 2, threads = 0;
  bool json = false;
  OptionFlags flags;
};

struct Pooling {
  ArrayFile input;
  Tensor indices;  // read or written
  PoolOutcome outcome;
};

void report(const PoolOp& op, const PoolArgs& args, const Pooling& done, Console& console) {
  const std::string function = op.function(args.rank);
  const Dims &from = done.input.array.shape(), &to = done.outcome.pooled.values.shape();
  const std::string_view dtype = dtype_name(done.input.array.dtype());
  const std::string& note = done.outcome.note;
  if (args.json) {
    nlohmann::json json{
        {"function", function},         {"in", args.in}, {"out", args.out}, {"dtype", dtype}, {"input_shape", sizes_of(from)},
        {"output_shape", sizes_of(to)}, {"note", note}};
    if (!args.indices.empty()) json["indices"] = args.indices;
    console.out << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return;
  }
  console.out << function << ": " << args.in << " " << dtype << " " << to_string(from) << " -> " << args.out << " " << to_string(to)
              << "\n";
  if (!args.indices.empty()) console.out << "indices: " << args.indices << " " << dtype_name(done.indices.dtype()) << "\n";
  if (!note.empty()) console.out << "note: " << note << "\n";
}

// Checks that need only the arguments, before any file is read.
void check_args(const PoolOp& op, const PoolArgs& args) {
  if (args.rank < op.lowest_rank)
    throw Error(ErrorCode::invalid_argument, "--rank: " + op.name() + " needs " + std::to_string(op.lowest_rank) +
                                                 " spatial dims or more, got " + std::to_string(args.rank));
  (void)file_kind(args.in);
  (void)file_kind(args.out);
  if (args.indices.empty()) return;
  if (op.indices == IndexUse::none)
    throw Error(ErrorCode::invalid_argument, "--indices: " + op.name() + " has none, every cell of a window takes part");
  if (file_kind(args.indices) != FileKind::npy)
    throw Error(ErrorCode::parse, "pool: --indices must end in .npy, got '" + args.indices + "'");
  if (args.indices == args.out) throw Error(ErrorCode::invalid_argument, "pool: --indices and -o name the same file '" + args.out + "'");
}

Pooling pool_files(const PoolOp& op, const PoolArgs& args) {
  const Progress progress("pooling " + args.in);
  const auto read = [&](const std::string& path) { return read_array(path, args.rank, args.layout == "channels_last"); };
  Pooling done{.input = read(args.in), .indices = {}, .outcome = {}};
  if (op.indices == IndexUse::read) done.indices = read(args.indices).array;
  const bool writes_indices = op.indices == IndexUse::written && !args.indices.empty();
  done.outcome = op.run(args.rank, args.flags, {.x = done.input.array, .indices = done.indices, .wants_indices = writes_indices});
  AtomicFile out(args.out);
  write_array(out, file_kind(args.out), done.outcome.pooled.values, done.input);
  if (writes_indices) {
    done.indices = done.outcome.pooled.indices;
    AtomicFile indices(args.indices);
    write_array(indices, FileKind::npy, done.indices, done.input);
    indices.commit();
  }
  out.commit();
  return done;
}

int pool(const PoolOp& op, const PoolArgs& args, Console& console) {
  check_args(op, args);
  if (args.threads != 0) set_num_threads(args.threads);
  report(op, args, pool_files(op, args), console);
  return exit_ok;
}

void add_indices(CLI::App& sub, const PoolOp& op, std::string& path) {
  const bool reads = op.indices == IndexUse::read;
  CLI::Option* option = sub.add_option("--indices", path,
                                       reads ? "indices of the maxima, an .npy file that `tidepool pool max --indices` wrote"
                                             : "also write the index of each result in the input, .npy");
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
  sub->add_option("in", args->in, "array or picture to read, .npy or .png")->required()->type_name("FILE");
  sub->add_option("-o,--out", args->out, "file to write, .npy or .png")->required()->type_name("FILE");
  op.add_flags(args->flags, *sub);
  add_indices(*sub, op, args->indices);
  sub->add_option("--rank", args->rank, "number of spatial dims, the last ones of the array [2]")->check(CLI::Range(1, 3))->type_name("N");
  sub->add_option("--layout", args->layout,
                  "dim order of .npy files: channels_first (N,C,H,W; C,H,W) or channels_last (N,H,W,C; H,W,C) [channels_first]")
      ->check(CLI::IsMember({"channels_first", "channels_last"}))
      ->type_name("WORD");
  sub->add_option("--threads", args->threads, "number of threads [all cores]")->check(CLI::Range(1, 4096))->type_name("N");
  sub->add_flag("--json", args->json, "answer in JSON");
  sub->footer(
      "Arrays are N,C,H,W or C,H,W or plain H,W (one dim more or fewer with --rank 1 or 3).\n"
      "Pictures are pooled per channel. Output files are written completely or not at all.\n\n"
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
    for (const PoolOp& op : pool_ops()) join(known, op.name());
    throw Error(ErrorCode::parse, (extras.empty() ? "pool: which op?" : "pool: unknown op or option '" + extras.front() + "'") +
                                      " (there are " + known + ")");
  });
}

}  // namespace tidepool::cli
