#include "pool_args.h"

#include <unistd.h>

#include "file_name.h"
#include "results.h"
#include "tidepool/error.h"

namespace tidepool::cli {

namespace {

void check_compare(const std::string& compare, const PoolOp& op, const PoolArgs& args) {
  const FileName picture = parse_file_name(compare);
  if (picture.is_stream() || kind_of_name(picture) != FileKind::png)
    throw Error(ErrorCode::parse, "pool: --compare must name a .png file, got '" + compare + "'");
  const auto refuse_same = [&](const std::string& other, const char* what) {
    if (!parse_file_name(other).is_stream() && same_file(picture, parse_file_name(other)))
      throw Error(ErrorCode::invalid_argument, "pool: --compare and " + std::string(what) + " name the same file '" + compare + "'");
  };
  refuse_same(args.in, "the input");
  refuse_same(args.out, "-o");
  if (op.indices != IndexUse::none && !args.indices.empty()) refuse_same(args.indices, "--indices");
}

}  // namespace

void check_args(const PoolOp& op, const PoolArgs& args) {
  if (args.rank < op.lowest_rank)
    throw Error(ErrorCode::invalid_argument, "--rank: " + op.name() + " needs " + std::to_string(op.lowest_rank) +
                                                 " spatial dims or more, got " + std::to_string(args.rank));
  const FileName in = parse_file_name(args.in), out = parse_file_name(args.out);
  // Any kind that is not refused will do here: the kind of the input is not known yet.
  (void)kind_of_result(out, args.format, FileKind::npy);
  bool writes_stream = out.is_stream();
  if (!args.indices.empty()) {
    if (op.indices == IndexUse::none)
      throw Error(ErrorCode::invalid_argument, "--indices: " + op.name() + " has none, every cell of a window takes part");
    const FileName indices = parse_file_name(args.indices);
    if (kind_of_name(indices) == FileKind::png)
      throw Error(ErrorCode::parse, "pool: --indices cannot be a picture, got '" + args.indices + "'");
    if (op.indices == IndexUse::read && in.is_stream() && indices.is_stream())
      throw Error(ErrorCode::invalid_argument, "pool: the input and --indices cannot both come from standard input");
    if (op.indices == IndexUse::written) {
      (void)kind_of_result(indices, "", FileKind::npy);
      writes_stream = writes_stream || indices.is_stream();
    } else if (same_file(indices, out) && !out.is_stream()) {
      throw Error(ErrorCode::invalid_argument, "pool: --indices and -o name the same file '" + args.out + "'");
    }
  }
  if (args.compare) check_compare(*args.compare, op, args);
  if (writes_stream && isatty(STDOUT_FILENO) != 0)
    throw Error(ErrorCode::invalid_argument, "pool: - writes to standard output, which is a terminal; redirect it or name a file");
}

}  // namespace tidepool::cli
