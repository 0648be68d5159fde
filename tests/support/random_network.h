// Networks of random layers, with branches, for tests of the analysis.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/error.h"

namespace tidepool::test {

// Draws layers that fit their inputs. Layers that the analysis refuses are drawn again.
class RandomNetwork {
 public:
  // 1-D, 2-D or 3-D, with one or two small inputs and layers of all kinds.
  explicit RandomNetwork(uint64_t seed) : random_(static_cast<uint32_t>(seed)) {
    rank_ = below(3) + 1;
    const int inputs = one_in(4) ? 2 : 1;
    Dims shape{one_in(6) ? 2 : 1, 1 + below(3)};
    for (int axis = 0; axis < rank_; ++axis) shape.push_back(rank_ == 1 ? 5 + below(30) : rank_ == 2 ? 4 + below(9) : 3 + below(4));
    for (int i = 0; i < inputs; ++i) net.input("x" + std::to_string(i), shape);
    const int layers = 1 + below(9);
    for (int i = 0; i < layers; ++i) grow();
  }
  // 1-D, with one long input and layers whose cells read their surroundings alone: the cells in the middle do not know of the ends.
  static RandomNetwork long_and_local(uint64_t seed) {
    RandomNetwork random;
    random.random_.seed(static_cast<uint32_t>(seed));
    random.rank_ = 1;
    random.local_ = true;
    random.net.input("x", {1, 2, 2000});
    const int layers = 1 + random.below(6);
    for (int i = 0; i < layers; ++i) random.grow();
    return random;
  }

  // A node other than an input if there is one, more often a late one.
  int node() {
    const int count = static_cast<int>(net.nodes().size());
    return std::max(below(count), below(count));
  }
  std::vector<int64_t> cell_of(int node) {
    const Dims& shape = net.node(node).shape;
    std::vector<int64_t> cell;
    for (int dim = 2; dim < shape.rank; ++dim) cell.push_back(below(static_cast<int>(shape[dim])));
    return cell;
  }
  std::string text() const {
    std::ostringstream out;
    for (size_t i = 0; i < net.nodes().size(); ++i) {
      const analyze::Node& node = net.nodes()[i];
      out << "  " << i << " " << to_string(node.layer) << " of";
      for (const int input : node.inputs) out << " " << input;
      out << " -> " << node.shape << "\n";
    }
    return out.str();
  }

  analyze::Network net;

 private:
  static constexpr int64_t most_elements = 4096;  // of an output

  RandomNetwork() = default;
  int below(int end) { return static_cast<int>(random_() % static_cast<uint32_t>(end)); }
  bool one_in(int count) { return below(count) == 0; }

  Sizes sizes(int least, int most) {
    std::vector<int64_t> list;
    for (int axis = 0; axis < rank_; ++axis) list.push_back(least + below(most - least + 1));
    if (one_in(2)) list.resize(1);
    return Sizes::from(list);
  }
  Pads pads(int most) {
    std::vector<Sides> list;
    for (int axis = 0; axis < rank_; ++axis) list.emplace_back(below(most + 1), below(most + 1));
    return Pads::from(list);
  }
  int64_t divisor_of(int64_t number) {
    const int64_t divisor = 1 + below(static_cast<int>(number));
    return number % divisor == 0 ? divisor : 1;
  }

  analyze::Layer window_layer(const Dims& shape) {
    const int64_t channels = 1 + below(4);
    switch (below(4)) {
      case 0: {
        analyze::Conv conv{
            .out_channels = channels, .kernel_size = sizes(1, 4), .stride = sizes(1, 3), .padding = pads(3), .dilation = sizes(1, 2)};
        if (one_in(6)) conv.padding.mode = one_in(2) ? PaddingMode::same_upper : PaddingMode::same_lower;
        conv.groups = divisor_of(shape[1]);
        conv.out_channels = conv.groups * (1 + below(2));
        return conv;
      }
      case 1: {
        analyze::ConvTranspose conv{.out_channels = channels,
                                    .kernel_size = sizes(1, 3),
                                    .stride = sizes(1, 3),
                                    .padding = pads(2),
                                    .output_padding = sizes(0, 1),
                                    .dilation = sizes(1, 2)};
        conv.groups = divisor_of(shape[1]);
        conv.out_channels = conv.groups * (1 + below(2));
        return conv;
      }
      case 2: {
        analyze::Unpool unpool;
        unpool.windows.kernel_size = sizes(1, 3);
        if (one_in(2)) unpool.windows.stride = sizes(1, 3);
        if (one_in(3)) unpool.windows.padding = Pads::from(std::vector{Sides(1)});
        return unpool;
      }
      default: {
        constexpr Op ops[] = {Op::max, Op::min, Op::avg, Op::sum, Op::lp};
        analyze::Pool pool{.op = ops[below(5)], .windows = {}};
        pool.windows.kernel_size = sizes(1, 4);
        if (one_in(2)) pool.windows.stride = sizes(1, 4);
        pool.windows.padding = pads(2);
        pool.windows.dilation = sizes(1, 2);
        if (one_in(8)) pool.windows.padding.mode = PaddingMode::same_upper;
        constexpr Rounding roundings[] = {Rounding::floor, Rounding::ceil, Rounding::ceil_full};
        pool.windows.ceil_mode = roundings[below(3)];
        if (one_in(2)) pool.windows.preset = Preset::onnx;
        return pool;
      }
    }
  }

  analyze::Layer resize_layer() {
    analyze::Resize resize;
    resize.mode = static_cast<analyze::Resize::Mode>(below(3));
    resize.coordinates = static_cast<analyze::Resize::Coordinates>(below(3));
    resize.rounding = static_cast<analyze::Resize::Rounding>(below(4));
    if (!local_ && one_in(2)) {
      resize.output_size = sizes(1, 12);
    } else {
      std::vector<double> scale;
      for (int axis = 0; axis < rank_; ++axis) scale.push_back(0.5 * (1 + below(6)));
      resize.scale = Ratios::from(scale);
    }
    return resize;
  }

  analyze::Layer other_layer(const Dims& shape) {
    switch (below(local_ ? 2 : 9)) {
      case 0:
        return analyze::Elementwise{analyze::Elementwise::Kind::activation, "relu"};
      case 1:
        return analyze::Elementwise{analyze::Elementwise::Kind::normalisation, "bn", 2};
      case 2:
        return analyze::AdaptivePool{one_in(2) ? Op::max : Op::avg, sizes(1, 5)};
      case 3: {
        analyze::Slice slice{.dim = 1 + below(shape.rank - 1), .begin = 0, .end = 0, .step = 1 + below(2)};
        slice.begin = below(static_cast<int>(shape[slice.dim]));
        slice.end = slice.begin + 1 + below(static_cast<int>(shape[slice.dim] - slice.begin));
        return slice;
      }
      case 4: {
        analyze::Pad pad{.sides = std::vector<Sides>(shape.size()), .mode = static_cast<analyze::Pad::Mode>(below(4))};
        for (int dim = 2; dim < shape.rank; ++dim) pad.sides[static_cast<size_t>(dim)] = Sides(below(4) - 1, below(4) - 1);
        return pad;
      }
      case 5: {
        analyze::Transpose transpose;
        for (int dim = 0; dim < shape.rank; ++dim) transpose.order.push_back(dim);
        std::shuffle(transpose.order.begin() + 1, transpose.order.end(), random_);
        return transpose;
      }
      case 6:
        return analyze::Softmax{1 + below(shape.rank - 1)};
      case 7: {
        analyze::Reduce reduce{.function = one_in(2) ? "mean" : "max", .dims = {}, .keepdim = true};
        reduce.dims.push_back(1 + below(shape.rank - 1));
        return reduce;
      }
      default:
        return analyze::StatisticsNorm{"layer_norm", 2};
    }
  }

  analyze::Layer flat_layer(const Dims& shape) {
    if (shape.rank > 2 && one_in(2)) return analyze::Flatten{1 + below(shape.rank - 1), -1};
    if (shape.rank > 2 && one_in(3)) {
      Dims merged{shape[0], shape[1] * shape[2]};
      for (int dim = 3; dim < shape.rank; ++dim) merged.push_back(shape[dim]);
      return analyze::Reshape{merged};
    }
    return analyze::Linear{1 + below(4)};
  }

  bool small(const Dims& shape) {
    int64_t elements = 1;
    for (const int64_t size : shape) elements *= size;
    return elements <= most_elements * (local_ ? 16 : 1);
  }

  // Tries to add the layer; the network is left as it was if that is not possible.
  bool add(const analyze::Layer& layer, const std::vector<int>& inputs) {
    analyze::Network tried = net;
    try {
      const int at = tried.add(layer, inputs);
      if (!small(tried.node(at).shape)) return false;
    } catch (const Error&) {
      return false;
    }
    net = std::move(tried);
    return true;
  }

  void grow() {
    for (int attempt = 0; attempt < 50; ++attempt) {
      const int count = static_cast<int>(net.nodes().size());
      const int from = one_in(3) ? below(count) : count - 1;
      const Dims& shape = net.node(from).shape;
      const bool spatial = shape.rank == rank_ + 2;
      const int kind = below(local_ ? 7 : 10);
      bool added = false;
      if (local_ && kind == 6)
        added = join(from);
      else if (kind < 4 && spatial)
        added = add(window_layer(shape), {from});
      else if (kind == 4 && spatial)
        added = add(resize_layer(), {from});
      else if (kind < 7)
        added = add(other_layer(shape), {from});
      else if (kind == 7 && one_in(2))
        added = add(flat_layer(shape), {from});
      else if (kind == 7 && spatial && rank_ > 1)
        added = add(analyze::FractionalPool{sizes(1, 2), sizes(1, 4)}, {from});
      else
        added = join(from);
      if (added) return;
    }
  }

  // A merge or a concat with a node of a shape that fits, or with a branch of its own.
  bool join(int from) {
    const int count = static_cast<int>(net.nodes().size());
    const int other = below(count);
    if (!local_ && one_in(8)) return add(analyze::MatMul{}, {from, other});
    if (one_in(6)) {
      analyze::Network tried = net;
      const int constant = tried.constant(net.node(from).shape);
      net = std::move(tried);
      return add(analyze::Merge{analyze::Merge::Kind::multiply, "mul"}, {from, constant});
    }
    if (one_in(2)) return add(analyze::Concat{local_ ? 1 : 1 + below(2)}, {from, other});
    const bool multiplies = one_in(3);
    return add(analyze::Merge{multiplies ? analyze::Merge::Kind::multiply : analyze::Merge::Kind::add, multiplies ? "mul" : "add"},
               {from, other});
  }

  std::mt19937 random_;
  int rank_ = 2;
  bool local_ = false;
};

}  // namespace tidepool::test
