// Prints the shape of every value of an ONNX file, for comparison with ONNX's own shape inference:
//   tidepool_analyze_onnx_shapes FILE…
// One line for each value: its name, a tab, and its sizes joined by x, "scalar", or "?" behind an unknown layer. Behind them, "end", a tab
// and the number of parameters; or "error", a tab and the reason why the file is refused.
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "analyze/onnx/operators.h"
#include "tidepool/analyze/report.h"

namespace tidepool::analyze::onnx {
namespace {

std::string text_of(const Graph& graph, const Value& value) {
  if (!graph.is_known(value)) return "?";
  const Dims shape = graph.shape_of(value);
  return shape.rank == 0 ? "scalar" : to_string(shape);
}

void print_shapes(const std::string& bytes) {
  const Model model = parse_model(bytes);
  Graph graph(model);
  define_inputs(graph, {});
  for (const NodeProto& node : model.nodes) add_node(graph, node);
  for (const NodeProto& node : model.nodes)
    for (const std::string_view name : node.outputs)
      if (!name.empty()) std::cout << name << '\t' << text_of(graph, *graph.find(name)) << '\n';
  std::cout << "end\t" << analyze(graph.net).parameters << '\n';
}

}  // namespace
}  // namespace tidepool::analyze::onnx

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    std::ifstream file(arguments[i], std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    try {
      tidepool::analyze::onnx::print_shapes(bytes);
    } catch (const tidepool::Error& error) {
      std::cout << "error\t" << error.what() << '\n';
    }
  }
}
