#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "app.h"
#include "tidepool/executor.h"
#include "tidepool/plan.h"
#include "tidepool/runtime.h"
#include "words.h"

namespace tidepool::cli {

namespace {

struct Row {
  Op op;
  Pass pass;
  Layout layout;
  bool indices;
  DType dtype;
  std::string chosen;
  std::vector<std::string> kernels;
};

constexpr Op all_ops[] = {Op::max, Op::min};
constexpr Pass all_passes[] = {Pass::forward, Pass::backward, Pass::double_backward};
constexpr Layout all_layouts[] = {Layout::channels_first, Layout::channels_last, Layout::strided};

std::string problem_text(const Row& row) {
  return std::string(op_name(row.op)) + "2d " + std::string(pass_name(row.pass)) + " " + std::string(dtype_name(row.dtype)) + " " +
         std::string(layout_name(row.layout, 2)) + " 1x64x56x56 k3 s2 p1" + (row.indices ? " idx=plane" : "");
}

// What a middling layer would get: 64 channels of 56x56, k3 s2 p1. Combinations that the library refuses are left out.
std::vector<Row> kernel_rows() {
  std::vector<Row> rows;
  for (Pass pass : all_passes)
    for (bool indices : {false, true})
      for (Layout layout : all_layouts)
        for (Op op : all_ops)
          for (DType dtype : all_dtypes) {
            if (pass != Pass::forward && !indices) continue;
            Row row{op, pass, layout, indices, dtype, {}, {}};
            const auto problem = parse_problem(problem_text(row));
            if (!problem) continue;
            const auto plan = try_make_plan(*problem);
            if (!plan) continue;
            row.chosen = plan->kernel();
            for (std::string_view name : kernel_names(*problem)) row.kernels.emplace_back(name);
            rows.push_back(std::move(row));
          }
  return rows;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) join(text, word);
  return text;
}

nlohmann::json json_of(const std::vector<Row>& rows) {
  nlohmann::json json{{"ops", nlohmann::json::array()},
                      {"dtypes", nlohmann::json::array()},
                      {"kernels", nlohmann::json::array()},
                      {"targets", nlohmann::json::array()},
                      {"threads", num_threads()}};
  for (Op op : all_ops)
    json["ops"].push_back({{"name", op_name(op)}, {"functions", {function_name(op, 1), function_name(op, 2), function_name(op, 3)}}});
  for (DType dtype : all_dtypes) json["dtypes"].push_back({{"name", dtype_name(dtype)}, {"bytes", dtype_size(dtype)}});
  for (const Row& row : rows)
    json["kernels"].push_back({{"op", op_name(row.op)},
                               {"pass", pass_name(row.pass)},
                               {"dtype", dtype_name(row.dtype)},
                               {"layout", layout_name(row.layout, 2)},
                               {"indices", row.indices},
                               {"problem", problem_text(row)},
                               {"chosen", row.chosen},
                               {"kernels", row.kernels}});
  const std::string current = current_target();
  for (const Target& target : targets())
    json["targets"].push_back({{"name", target.name}, {"supported", target.supported}, {"current", target.name == current}});
  return json;
}

// Dtypes with the same kernel share a word, ops with the same answer a line.
void print_kernels(const std::vector<Row>& rows, std::ostream& out) {
  std::string last_pass;
  for (size_t i = 0; i < rows.size();) {
    const Row& head = rows[i];
    const auto same_place = [&](const Row& row) {
      return row.pass == head.pass && row.indices == head.indices && row.layout == head.layout;
    };
    std::map<Op, std::map<std::string, std::string>> dtypes_of;
    for (; i < rows.size() && same_place(rows[i]); ++i) join(dtypes_of[rows[i].op][rows[i].chosen], dtype_name(rows[i].dtype));
    if (const std::string pass(pass_name(head.pass)); pass != last_pass) {
      out << "  " << pass << ": " << joined(head.kernels) << "\n";
      last_pass = pass;
    }
    std::map<std::string, std::string> ops_of;
    for (const auto& [op, kernels] : dtypes_of) {
      std::string answer;
      for (const auto& [kernel, dtypes] : kernels) {
        join(answer, kernel, ", ");
        answer.append(" (").append(dtypes).append(")");
      }
      join(ops_of[answer], op_name(op));
    }
    const std::string place =
        std::string(layout_name(head.layout, 2)) + (head.pass == Pass::forward && head.indices ? " with indices" : "");
    for (const auto& [answer, ops] : ops_of) out << "    " << ops << " " << place << "\n      " << answer << "\n";
  }
}

int list(bool as_json, Console& console) {
  const std::vector<Row> rows = kernel_rows();
  if (as_json) {
    console.out << json_of(rows).dump(2) << "\n";
    return exit_ok;
  }
  std::ostream& out = console.out;
  out << "ops\n";
  for (Op op : all_ops)
    out << "  " << op_name(op) << ": " << function_name(op, 1) << " " << function_name(op, 2) << " " << function_name(op, 3) << "\n";
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
