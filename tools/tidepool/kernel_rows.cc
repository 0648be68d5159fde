#include "kernel_rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>
#include <utility>

#include "tidepool/plan.h"
#include "words.h"

namespace tidepool::cli {

namespace {

std::string problem_text(const KernelRow& row) {
  return std::string(op_name(row.op)) + "2d " + std::string(pass_name(row.pass)) + " " + std::string(dtype_name(row.dtype)) + " " +
         std::string(layout_name(row.layout, 2)) + " 1x64x56x56 k3 s2 p1" + (row.indices ? " idx=plane" : "");
}

// Max and min forward write indices optionally; the passes that read indices need them.
bool makes_sense(const KernelRow& row) {
  if (!has_indices(row.op)) return !row.indices;
  return row.indices || (row.pass == Pass::forward && row.op != Op::unpool);
}

// Every kernel of a pass, whichever op it serves.
std::string kernels_of(const std::vector<KernelRow>& rows, Pass pass) {
  std::vector<std::string> names;
  for (const KernelRow& row : rows)
    for (const std::string& name : row.kernels)
      if (row.pass == pass && std::ranges::find(names, name) == names.end()) names.push_back(name);
  std::string list;
  for (const std::string& name : names) join(list, name);
  return list;
}

}  // namespace

std::vector<KernelRow> kernel_rows(const std::vector<Op>& ops) {
  std::vector<KernelRow> rows;
  for (Pass pass : all_passes)
    for (bool indices : {false, true})
      for (Layout layout : all_layouts)
        for (Op op : ops)
          for (DType dtype : all_dtypes) {
            KernelRow row{op, pass, layout, indices, dtype, {}, {}, {}};
            if (!makes_sense(row)) continue;
            row.problem = problem_text(row);
            const auto problem = parse_problem(row.problem);
            if (!problem) continue;
            const auto plan = try_make_plan(*problem);
            if (!plan) continue;
            row.chosen = plan->kernel();
            for (std::string_view name : kernel_names(*problem)) row.kernels.emplace_back(name);
            rows.push_back(std::move(row));
          }
  return rows;
}

void print_kernels(const std::vector<KernelRow>& rows, std::ostream& out) {
  std::optional<Pass> last_pass;
  for (size_t i = 0; i < rows.size();) {
    const KernelRow& head = rows[i];
    const auto same_place = [&](const KernelRow& row) {
      return row.pass == head.pass && row.indices == head.indices && row.layout == head.layout;
    };
    std::map<Op, std::map<std::string, std::string>> dtypes_of;
    for (; i < rows.size() && same_place(rows[i]); ++i) join(dtypes_of[rows[i].op][rows[i].chosen], dtype_name(rows[i].dtype));
    if (head.pass != last_pass) out << "  " << pass_name(head.pass) << ": " << kernels_of(rows, head.pass) << "\n";
    last_pass = head.pass;
    std::vector<std::pair<std::string, std::string>> ops_of;
    for (const auto& [op, kernels] : dtypes_of) {
      std::string answer;
      for (const auto& [kernel, dtypes] : kernels) {
        join(answer, kernel, ", ");
        answer.append(" (").append(dtypes).append(")");
      }
      auto known = std::ranges::find(ops_of, answer, &std::pair<std::string, std::string>::first);
      if (known == ops_of.end()) known = ops_of.insert(known, {answer, ""});
      join(known->second, op_name(op));
    }
    const std::string place =
        std::string(layout_name(head.layout, 2)) + (head.pass == Pass::forward && head.indices ? " with indices" : "");
    for (const auto& [answer, ops] : ops_of) out << "    " << ops << " " << place << "\n      " << answer << "\n";
  }
}

}  // namespace tidepool::cli
