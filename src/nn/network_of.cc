#include "tidepool/nn/network_of.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nn/traced_layer.h"
#include "tidepool/autograd.h"
#include "tidepool/creation.h"
#include "tidepool/functional.h"
#include "tidepool/random.h"
#include "tidepool/trace.h"

namespace tidepool::inline v0_1::nn {
namespace {

using analyze::Network;

// Every part of a module in inference mode, until the end of the scope. The generator of random numbers is restored too.
class Inference {
 public:
  explicit Inference(Module& module) : module_(module), random_(random_state()) {
    remember(module);
    module.eval();
  }
  ~Inference() {
    // Parts come after what contains them, whose train() changes them as well.
    for (const auto& [part, training] : modes_) part->train(training);
    set_random_state(random_);
  }
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;

 private:
  void remember(Module& part) {
    modes_.emplace_back(&part, part.is_training());
    for (const auto& child : part.children()) remember(*child.second);
  }

  Module& module_;
  RandomState random_;
  std::vector<std::pair<Module*, bool>> modes_;
};

const void* address(const Tensor& x) { return x.defined() ? x.data<std::byte>() : nullptr; }

// "conv1" for "conv1.weight"; nothing for a parameter of the module itself
std::string owner_of(const std::string& parameter) {
  const size_t dot = parameter.rfind('.');
  return dot == std::string::npos ? "" : parameter.substr(0, dot);
}

uint64_t hash_of(const Tensor& x) {
  const Tensor dense = contiguous(x.detach());
  const auto bytes = static_cast<size_t>(dense.numel() * dtype_size(dense.dtype()));
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(dense.data<std::byte>()), bytes});
}

// Builds the network of one run of forward.
class Tracer {
 public:
  // `computed` has the numbers of the foreign tensors (below) that depend on the input.
  Tracer(const Module& module, const std::set<size_t>& computed) : computed_(computed) {
    for (const auto& [name, value] : module.named_parameters()) parameters_[address(value)] = name;
    for (const auto& [name, value] : module.named_buffers()) buffers_.insert(address(value));
  }

  void start(const Tensor& input) { bind(input, net_.input("input", input.shape())); }
  void see(const Call& call) {
    std::vector<bool> traced;
    bool any = false;
    for (const Tensor& x : call.inputs) {
      traced.push_back(node_of(x) >= 0);
      any = any || traced.back();
    }
    if (!any) return;  // computed from weights alone: as constant as they are
    detail::TracedLayer found = detail::traced_layer(call);
    const size_t data = found.first_weight < 0 ? call.inputs.size() : static_cast<size_t>(found.first_weight);
    for (size_t i = data; i < traced.size(); ++i)
      if (traced[i] || !traced[0]) {  // weights that are computed from the input
        found = {{analyze::Unknown{call.function}}};
        break;
      }
    std::vector<int> inputs;
    const size_t read = found.first_weight < 0 ? call.inputs.size() : data;
    for (size_t i = 0; i < read; ++i)
      if (call.inputs[i].defined()) inputs.push_back(traced[i] ? node_of(call.inputs[i]) : constant(call.inputs[i]));
    bind(call.result, add(call, found, std::move(inputs)));
  }
  Network finish(const Tensor& output) {
    const int node = node_of(output);
    if (node < 0)
      throw Error(ErrorCode::invalid_argument,
                  "network_of: the result of forward must be computed from its input by functions that are recorded for gradients, got one "
                  "that is not (shape " +
                      to_string(output.shape()) + ")");
    net_.output(node);
    return std::move(net_);
  }
  // Hashes of the tensors that calls read beside results of calls, parameters and buffers, in the order of the calls.
  const std::vector<uint64_t>& foreign() const { return foreign_; }

 private:
  int node_of(const Tensor& x) const {
    const auto found = x.requires_grad() ? nodes_.find(x.grad_state().get()) : nodes_.end();
    return found == nodes_.end() ? -1 : found->second;
  }
  void bind(const Tensor& x, int node) {
    nodes_[x.grad_state().get()] = node;
    kept_.push_back(x);  // so that no later state has the same address
  }

  int add(const Call& call, const detail::TracedLayer& found, std::vector<int> inputs) {
    if (call.function == "broadcast_to") return broadcast(call, inputs[0]);
    if (found.first_weight < 0) {
      for (const analyze::Layer& layer : found.layers) inputs = {net_.add(layer, inputs)};
      return inputs[0];
    }
    std::string weights;  // the first parameter that the layer reads
    int64_t parameters = 0;
    for (size_t i = static_cast<size_t>(found.first_weight); i < call.inputs.size(); ++i) {
      const auto parameter = call.inputs[i].defined() ? parameters_.find(address(call.inputs[i])) : parameters_.end();
      if (parameter == parameters_.end()) continue;
      if (weights.empty()) weights = parameter->second;
      parameters += call.inputs[i].numel();
    }
    const int node = net_.add(found.layers[0], inputs, owner_of(weights), weights);
    net_.set_parameters(node, parameters);
    return node;
  }

  // A function of the value and of something with the new shape.
  int broadcast(const Call& call, int input) {
    const int shape = net_.constant(call.result.shape());
    return net_.add(analyze::Merge{analyze::Merge::Kind::other, "broadcast"}, {input, shape});
  }

  int constant(const Tensor& x) {
    if (const auto parameter = parameters_.find(address(x)); parameter != parameters_.end())
      return net_.constant(x.shape(), x.numel(), parameter->second, parameter->second);
    if (!x.requires_grad() && !buffers_.contains(address(x))) {
      const size_t number = foreign_.size();
      foreign_.push_back(hash_of(x));
      if (computed_.contains(number)) return net_.add(analyze::Unknown{"unrecorded"}, {});
    }
    return net_.constant(x.shape());
  }

  Network net_;
  std::unordered_map<const void*, int> nodes_;  // by grad_state
  std::vector<Tensor> kept_;
  std::map<const void*, std::string> parameters_;
  std::set<const void*> buffers_;
  const std::set<size_t>& computed_;
  std::vector<uint64_t> foreign_;
};

struct Traced {
  Network network;
  std::vector<uint64_t> foreign;
};

Traced trace(Module& module, const Dims& shape, Seed seed, const std::set<size_t>& computed) {
  const Inference inference(module);
  const EnableGrad enable;
  Tensor x = randn(shape, seed);
  x.set_requires_grad();
  Tracer tracer(module, computed);
  tracer.start(x);
  Tensor y;
  {
    const CallTrace calls([&](const Call& call) { tracer.see(call); });
    y = module(x);
  }
  Network network = tracer.finish(y);
  return {std::move(network), tracer.foreign()};
}

}  // namespace

Network network_of(Module& module, const Dims& input) {
  Traced first = trace(module, input, 1, {});
  if (first.foreign.empty()) return std::move(first.network);
  // Foreign tensors that differ for another input are computed from it.
  const Traced other = trace(module, input, 2, {});
  if (other.foreign.size() != first.foreign.size() || other.network.nodes().size() != first.network.nodes().size())
    throw Error(ErrorCode::unsupported,
                "network_of: forward must call the same functions for every input of a shape, got one that does not");
  std::set<size_t> computed;
  for (size_t i = 0; i < first.foreign.size(); ++i)
    if (first.foreign[i] != other.foreign[i]) computed.insert(i);
  return computed.empty() ? std::move(first.network) : trace(module, input, 1, computed).network;
}

}  // namespace tidepool::inline v0_1::nn
