#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "app.h"
#include "kernel_rows.h"
#include "pool_ops.h"
#include "tidepool/executor.h"
#include "tidepool/runtime.h"
#include "words.h"

namespace tidepool::cli {

namespace {

// The other rows of the table are the same ops with other windows.
bool has_regular_windows(const PoolOp& op) { return op.windows == Windows::regular; }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) join(text, word);
  return text;
}

nlohmann::json json_of(const std::vector<KernelRow>& rows) {
  nlohmann::json json{{"ops", nlohmann::json::array()},     {"windows", nlohmann::json::array()}, {"dtypes", nlohmann::json::array()},
                      {"kernels", nlohmann::json::array()}, {"targets", nlohmann::json::array()}, {"threads", num_threads()}};
  for (const PoolOp& op : pool_ops()) {
    if (has_regular_windows(op)) {
      json["ops"].push_back({{"name", op.name()}, {"functions", op.functions()}});
    } else {
      json["windows"].push_back({{"name", windows_name(op.windows)}, {"op", op_name(op.op)}, {"functions", op.functions()}});
    }
  }
  for (DType dtype : all_dtypes) json["dtypes"].push_back({{"name", dtype_name(dtype)}, {"bytes", dtype_size(dtype)}});
  for (const KernelRow& row : rows)
    json["kernels"].push_back({{"op", op_name(row.op)},
                               {"pass", pass_name(row.pass)},
                               {"dtype", dtype_name(row.dtype)},
                               {"layout", layout_name(row.layout, 2)},
                               {"indices", row.indices},
                               {"problem", row.problem},
                               {"chosen", row.chosen},
                               {"kernels", row.kernels}});
  const std::string current = current_target();
  for (const Target& target : targets())
    json["targets"].push_back({{"name", target.name}, {"supported", target.supported}, {"current", target.name == current}});
  return json;
}

int list(bool as_json, Console& console) {
  std::vector<Op> ops;
  for (const PoolOp& op : pool_ops())
    if (has_regular_windows(op)) ops.push_back(op.op);
  const std::vector<KernelRow> rows = kernel_rows(ops);
  if (as_json) {
    console.out << json_of(rows).dump(2) << "\n";
    return exit_ok;
  }
  std::ostream& out = console.out;
  out << "ops\n";
  for (const PoolOp& op : pool_ops())
    if (has_regular_windows(op)) out << "  " << op.name() << ": " << joined(op.functions()) << "\n";
  out << "windows: the same ops with other window positions\n";
  for (const PoolOp& op : pool_ops())
    if (!has_regular_windows(op))
      out << "  " << windows_name(op.windows) << " " << op_name(op.op) << ": " << joined(op.functions()) << "\n";
  out << "dtypes\n ";
  for (DType dtype : all_dtypes) out << " " << dtype_name(dtype);
  out << "\ntargets\n";
  const std::string current = current_target();
  for (const Target& target : targets())
    out << "  " << target.name << (target.name == current ? " (in use)" : target.supported ? "" : " (not on this machine)") << "\n";
  out << "threads\n  " << num_threads() << (has_threads() ? "" : " (built without threads)") << "\n";
  out << "kernels, and which one 1x64x56x56 k3 s2 p1 gets\n";
  print_kernels(rows, out);
  return exit_ok;
}

}  // namespace

void add_list(CLI::App& app, Action& chosen) {
  auto as_json = std::make_shared<bool>(false);
  CLI::App* verb = app.add_subcommand("list", "ops, dtypes, kernels and instruction sets of this build");
  verb->add_flag("--json", *as_json, "answer in JSON");
  verb->footer("Example:\n  tidepool list --json");
  verb->callback([as_json, &chosen] { chosen = [as_json](Console& console) { return list(*as_json, console); }; });
}

}  // namespace tidepool::cli
