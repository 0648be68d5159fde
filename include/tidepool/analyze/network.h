// A network as a graph of layers. Shapes are computed, and checked, while it is built.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tidepool/analyze/layers.h"
#include "tidepool/dims.h"
#include "tidepool/export.h"

namespace tidepool::inline v0_1::analyze {

struct Node {
  std::string name;  // unique in the network
  Layer layer;
  std::vector<int> inputs;  // nodes, each before this one
  Dims shape;               // of the output; meaningless if the node is not known
  int64_t parameters = 0;   // trained values
  int64_t multiply_adds = 0;
  int blocked_by = -1;  // the node of an unknown layer that this one depends on or is; -1 if the shape is known
  // Layers with the same weights have the same text here; the parameters count once.
  std::string weights;

  bool is_known() const noexcept { return blocked_by < 0; }
};

// Nodes are numbered in the order of execution.
//
//   analyze::Network net;
//   int x = net.input("image", {1, 3, 64, 64});
//   x = net.add(analyze::Conv{.out_channels = 32, .kernel_size = {{3}, 1}, .padding = {.sides = {1}}}, {x});
//   net.output(x);
class TIDEPOOL_API Network {
 public:
  // `shape` is N, C, spatial…. Sizes are at most 2^30.
  int input(std::string name, const Dims& shape);
  // A value that does not depend on an input; `parameters` of its elements are trained.
  int constant(const Dims& shape, int64_t parameters = 0, std::string name = {}, std::string weights = {});
  // Appends a layer. Throws Error, with the layer's name and text, if the layer does not accept its inputs. An empty name becomes the kind
  // of the layer and a number: "conv2".
  int add(Layer layer, const std::vector<int>& inputs, std::string name = {}, std::string weights = {});
  // Replaces the number of trained values that follows from the layer: some may be fixed, or counted with another layer.
  void set_parameters(int node, int64_t parameters);
  // Marks an output. Without any, the outputs are the nodes that no other reads.
  void output(int node);

  const std::vector<Node>& nodes() const noexcept { return nodes_; }
  const Node& node(int index) const;
  std::vector<int> inputs() const;
  std::vector<int> outputs() const;
  // The node of this name; throws Error if there is none.
  int find(const std::string& name) const;

 private:
  std::string unique_name(std::string name, const Layer& layer);

  std::vector<Node> nodes_;
  std::vector<int> outputs_;
  std::set<std::string> names_;
  std::map<std::string, int64_t> numbers_;  // the last one given behind each stem
};

}  // namespace tidepool::inline v0_1::analyze
