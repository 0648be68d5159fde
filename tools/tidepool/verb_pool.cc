#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
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

std::vector<int64_t> list_of(const Dims& dims) { return {dims.span().begin(), dims.span().end()}; }

void report(const PoolOp& op, const PoolArgs& args, const ArrayFile& input, const PoolOutcome& outcome, Console& console) {
  const std::string function = function_name(op.op, args.rank);
  const Dims &from = input.array.shape(), &to = outcome.pooled.values.shape();
  const std::string_view dtype = dtype_name(input.array.dtype());
  if (args.json) {
    nlohmann::json json{
        {"function", function},        {"in", args.in},       {"out", args.out}, {"dtype", dtype}, {"input_shape", list_of(from)},
        {"output_shape", list_of(to)}, {"note", outcome.note}};
    if (!args.indices.empty()) json["indices"] = args.indices;
    console.out << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return;
  }
  console.out << function << ": " << args.in << " " << dtype << " " << to_string(from) << " -> " << args.out << " " << to_string(to)
              << "\n";
  if (!args.indices.empty()) console.out << "indices: " << args.indices << " " << dtype_name(outcome.pooled.indices.dtype()) << "\n";
  if (!outcome.note.empty()) console.out << "note: " << outcome.note << "\n";
}

int pool(const PoolOp& op, const PoolArgs& args, Console& console) {
  (void)file_kind(args.in);
  const FileKind kind = file_kind(args.out);
  const bool with_indices = !args.indices.empty();
  if (with_indices && file_kind(args.indices) != FileKind::npy)
    throw Error(ErrorCode::parse, "pool: --indices must end in .npy, got '" + args.indices + "'");
  if (with_indices && args.indices == args.out)
    throw Error(ErrorCode::invalid_argument, "pool: --indices and -o name the same file '" + args.out + "'");
  if (args.threads != 0) set_num_threads(args.threads);

  const Progress progress("pooling " + args.in);
  const ArrayFile input = read_array(args.in, args.rank, args.layout == "channels_last");
  const PoolOutcome outcome = op.run(args.rank, args.flags, input.array, with_indices);
  AtomicFile out(args.out);
  write_array(out, kind, outcome.pooled.values, input);
  std::optional<AtomicFile> indices;
  if (with_indices) {
    indices.emplace(args.indices);
    write_array(*indices, FileKind::npy, outcome.pooled.indices, input);
    indices->commit();
  }
  out.commit();
  report(op, args, input, outcome, console);
  return exit_ok;
}

void add_op(CLI::App& verb, const PoolOp& op, Action& chosen) {
  auto args = std::make_shared<PoolArgs>();
  CLI::App* sub = verb.add_subcommand(std::string(op_name(op.op)), op.help);
  sub->add_option("in", args->in, "array or picture to read, .npy or .png")->required()->type_name("FILE");
  sub->add_option("-o,--out", args->out, "file to write, .npy or .png")->required()->type_name("FILE");
  op.add_flags(args->flags, *sub);
  sub->add_option("--indices", args->indices, "also write where every value came from, .npy")->type_name("FILE");
  sub->add_option("--rank", args->rank, "spatial dims, the last ones of the array [2]")->check(CLI::Range(1, 3))->type_name("N");
  sub->add_option("--layout", args->layout,
                  "of .npy files: channels_first (N,C,H,W; C,H,W) or channels_last (N,H,W,C; H,W,C) [channels_first]")
      ->check(CLI::IsMember({"channels_first", "channels_last"}))
      ->type_name("WORD");
  sub->add_option("--threads", args->threads, "threads [all cores]")->check(CLI::Range(1, 4096))->type_name("N");
  sub->add_flag("--json", args->json, "answer in JSON");
  const std::string name = "  tidepool pool " + std::string(op_name(op.op));
  sub->footer(
      "Arrays are N,C,H,W or C,H,W or plain H,W (one dim more or fewer with --rank 1 or 3).\n"
      "Pictures are pooled per channel. Files appear whole or not at all.\n\n"
      "Examples:\n" +
      name + " -k 2 in.npy -o out.npy\n" + name + " -k 3 -s 2 -p 1 in.npy -o out.npy --indices where.npy\n" + name +
      " -k 2,4 --padding same photo.png -o small.png\n" + name + " -k 5 --ceil-mode=ceil_full --rank 1 signal.npy -o out.npy");
  sub->callback([args, &op, &chosen] { chosen = [args, &op](Console& console) { return pool(op, *args, console); }; });
}

}  // namespace

void add_pool(CLI::App& app, Action& chosen) {
  CLI::App* verb = app.add_subcommand("pool", "pool an array or a picture from file to file");
  for (const PoolOp& op : pool_ops()) add_op(*verb, op, chosen);
  verb->require_subcommand(0, 1)->allow_extras();  // refused below, with the list of ops; ops would inherit it
  verb->footer("Example:\n  tidepool pool max -k 2 photo.png -o half.png\n  tidepool pool max --help");
  verb->callback([verb] {
    const auto extras = verb->remaining();
    if (!verb->get_subcommands().empty() && extras.empty()) return;
    std::string known;
    for (const PoolOp& op : pool_ops()) join(known, op_name(op.op));
    throw Error(ErrorCode::parse, (extras.empty() ? "pool: which op?" : "pool: unknown op or option '" + extras.front() + "'") +
                                      " (there are " + known + ")");
  });
}

}  // namespace tidepool::cli
