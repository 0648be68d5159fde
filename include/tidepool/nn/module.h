// The base class of layers and networks. See docs/nn.md.
#pragma once

#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tidepool/export.h"
#include "tidepool/nn/state_dict.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::nn {

// To write a network, derive from Module, register its submodules with add, and override forward:
//
//   struct Block : nn::Module {
//     nn::Conv2d& conv = add("conv", nn::Conv2d(3, 8, {.kernel_size = 3, .padding = 1}));
//     Tensor forward(const Tensor& x) override { return relu(conv(x)); }
//   };
//
// A module owns its submodules. It can be moved but not copied, so that two networks cannot share weights by accident. A module that was
// moved from is refused until another is assigned to it. References to its submodules stay valid as long as it or the new owner lives.
class TIDEPOOL_API Module {
 public:
  Module() = default;
  Module(Module&& other) noexcept;
  Module& operator=(Module&& other) noexcept;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  virtual ~Module() = default;

  virtual Tensor forward(const Tensor& x);  // throws Error(unsupported) unless overridden
  Tensor operator()(const Tensor& x) {
    check_whole();
    return forward(x);
  }

  // Registers a submodule and returns a reference to it.
  template <class M>
  M& add(std::string name, M module) {
    return add(std::move(name), std::make_shared<M>(std::move(module)));
  }
  template <class M>
  M& add(std::string name, std::shared_ptr<M> module) {
    M& added = *module;
    add_child(std::move(name), std::move(module));
    return added;
  }
  // Parameters are trained; buffers, such as running means, are only saved and loaded. Returns the registered tensor.
  Tensor add_parameter(std::string name, Tensor value);
  Tensor add_buffer(std::string name, Tensor value);

  // Named "conv1.weight", …. Those of the module itself come before those of its submodules.
  StateDict named_parameters() const;
  std::vector<Tensor> parameters() const;
  StateDict named_buffers() const;
  std::vector<std::pair<std::string, Module*>> children() const;
  int64_t num_parameters() const;  // elements of all parameters

  Module& train(bool on = true);
  Module& eval() { return train(false); }
  bool is_training() const noexcept { return training_; }
  void zero_grad();

  // Parameters and buffers with PyTorch's names. They share memory with the module.
  StateDict state_dict() const;
  // Copies values into the module. Throws Error unless the names and shapes are exactly those of state_dict().
  void load_state_dict(const StateDict& values);

  // The text that PyTorch prints for the same module.
  std::string to_string() const;
  TIDEPOOL_API friend std::ostream& operator<<(std::ostream& out, const Module& module);
  // The name of the class, unless overridden. Classes that are compiled with -fno-rtti have no name and print as "Module".
  virtual std::string name() const;
  virtual std::string extra_repr() const;  // the text between the parentheses of to_string()

 private:
  using Children = std::vector<std::pair<std::string, std::shared_ptr<Module>>>;

  void check_whole() const;  // throws Error if this module was moved from
  void add_child(std::string name, std::shared_ptr<Module> module);
  const Children& owned() const;
  void collect(const std::string& prefix, bool parameters, bool buffers, StateDict& into) const;

  StateDict parameters_, buffers_;
  // A module that was moved from keeps a share, because classes have references to their submodules.
  std::shared_ptr<Children> children_ = std::make_shared<Children>();
  bool training_ = true, moved_from_ = false;
};

// Runs modules one after the other:
//
//   nn::Sequential net{nn::Conv2d(3, 8, 3), nn::ReLU(), nn::MaxPool2d(2)};
//
// Only braces compile. C++ evaluates a braced list from left to right, so layers draw their initial weights in the written order on
// every compiler. The order of arguments in parentheses would depend on the compiler.
class TIDEPOOL_API Sequential : public Module {
 public:
  // An element of the list. It exists because std::initializer_list only gives const access, and modules cannot be copied.
  class Element {
   public:
    template <std::derived_from<Module> M>
    Element(M module)  // NOLINT(google-explicit-constructor): Sequential{Conv2d(…)} converts
        : module_(std::make_shared<M>(std::move(module))) {}

   private:
    friend class Sequential;
    std::shared_ptr<Module> module_;
  };

  Sequential() = default;
  Sequential(std::initializer_list<Element> modules);

  // Adds a module at the end. Its name is its position: "0", "1", ….
  template <class M>
  M& append(M module) {
    M& added = add(std::to_string(size_), std::move(module));
    ++size_;
    return added;
  }
  Tensor forward(const Tensor& x) override;
  std::string name() const override { return "Sequential"; }

 private:
  int size_ = 0;
};

}  // namespace tidepool::inline v0_1::nn
