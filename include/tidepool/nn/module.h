// Layers and networks. See docs/nn.md.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tidepool/extent.h"
#include "tidepool/nn/state_dict.h"
#include "tidepool/tensor.h"

namespace tidepool::nn {

// 3 or Extent<2>{3, 2}, but no braces: MaxPool2d({…}) means options.
template <class K, int N>
concept ExtentLike = std::convertible_to<K, Extent<N>>;

// Derive, name the parts with add, and say what forward does:
//
//   struct Block : nn::Module {
//     nn::Conv2d& conv = add("conv", nn::Conv2d(3, 8, {.kernel_size = 3, .padding = 1}));
//     Tensor forward(const Tensor& x) override { return relu(conv(x)); }
//   };
//
// A module owns its parts and can be moved, but not copied: two networks never share weights by accident.
class Module {
 public:
  Module() = default;
  Module(Module&&) = default;
  Module& operator=(Module&&) = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  virtual ~Module() = default;

  virtual Tensor forward(const Tensor& x);  // a module with other arguments has a forward of its own, and refuses this one
  Tensor operator()(const Tensor& x) { return forward(x); }

  // Makes a part, and gives it back to be used.
  template <class M>
  M& add(std::string name, M module) {
    return add(std::move(name), std::make_shared<M>(std::move(module)));
  }
  template <class M>
  M& add(std::string name, std::shared_ptr<M> module) {
    M& part = *module;
    add_child(std::move(name), std::move(module));
    return part;
  }
  // What is trained, and what is only kept. The tensor given back is the same one.
  Tensor add_parameter(std::string name, Tensor value);
  Tensor add_buffer(std::string name, Tensor value);

  // "conv1.weight", …; those of the module before those of its parts.
  StateDict named_parameters() const;
  std::vector<Tensor> parameters() const;
  StateDict named_buffers() const;
  std::vector<std::pair<std::string, Module*>> children() const;
  int64_t num_parameters() const;  // cells of all parameters

  Module& train(bool on = true);
  Module& eval() { return train(false); }
  bool is_training() const noexcept { return training_; }
  void zero_grad();

  // Parameters and buffers, with PyTorch's names. They share memory with the module.
  StateDict state_dict() const;
  // Copies values in. Names and shapes must be the module's, all of them.
  void load_state_dict(const StateDict& values);

  // As PyTorch prints it.
  std::string to_string() const;
  virtual std::string name() const;        // the class, unless overridden
  virtual std::string extra_repr() const;  // what stands between the brackets

 private:
  void add_child(std::string name, std::shared_ptr<Module> module);
  void collect(const std::string& prefix, bool parameters, bool buffers, StateDict& into) const;

  StateDict parameters_, buffers_;
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> children_;
  bool training_ = true;
};

// One after the other. In braces, Sequential{a, b}, modules are made, and draw their weights, in that order; in parentheses the compiler
// chooses.
class Sequential : public Module {
 public:
  template <class... Modules>
  explicit Sequential(Modules... modules) {
    (append(std::move(modules)), ...);
  }
  // Under the next number.
  template <class M>
  M& append(M module) {
    return add(std::to_string(size_++), std::move(module));
  }
  Tensor forward(const Tensor& x) override;
  std::string name() const override { return "Sequential"; }

 private:
  int size_ = 0;
};

}  // namespace tidepool::nn
