// From the nodes of the file, in order, to the network.
#include "analyze/onnx/operators.h"
#include "tidepool/analyze/onnx.h"

namespace tidepool::inline v0_1::analyze {

Network read_onnx(std::string_view bytes, const OnnxOptions& options) {
  using namespace onnx;
  const Model model = parse_model(bytes);
  Graph graph(model);
  define_inputs(graph, options);
  for (const NodeProto& node : model.nodes) add_node(graph, node);
  for (const ValueInfo& output : model.outputs) {
    const Value* value = graph.find(output.name);
    const std::string name = "read_onnx: output '" + shown(output.name) + "'";
    if (value == nullptr) detail::throw_error({ErrorCode::parse, name + " is made by no node"});
    if (value->is_constant() && count_of(value->shape) == 0)
      detail::throw_error({ErrorCode::unsupported, name + " is empty: its shape is " + to_string(value->shape)});
    graph.net.output(graph.node_of(*value));
  }
  return std::move(graph.net);
}

}  // namespace tidepool::inline v0_1::analyze
