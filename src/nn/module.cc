#include "tidepool/nn/module.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <ostream>
#include <typeinfo>
#include <utility>

#include "core/portable.h"
#include "nn/check.h"
#include "nn/portable_runtime.h"

namespace tidepool::inline v0_1::nn {
namespace {

// The unqualified name of a class: "Block" for "(anonymous namespace)::Block" and for "net::Block<3>".
std::string unqualified(std::string name) {
  name = name.substr(0, name.find('<'));
  const size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

// Whether typeid works on the object. In the Itanium C++ ABI, which GCC and clang use, a virtual table has a pointer to the type_info in
// front of it. -fno-rtti makes it null, and typeid would follow it.
bool has_type_info([[maybe_unused]] const Module& module) {
#if TIDEPOOL_GNU
  const void* const* virtual_table = nullptr;
  std::memcpy(static_cast<void*>(&virtual_table), static_cast<const void*>(&module), sizeof virtual_table);
  return virtual_table[-1] != nullptr;
#else
  return true;
#endif
}

std::string indented(const std::string& text) {
  std::string result;
  for (char c : text) {
    result += c;
    if (c == '\n') result += "  ";
  }
  return result;
}

// The addresses that a tensor lies in.
struct Range {
  explicit Range(const Tensor& x) : begin(reinterpret_cast<uintptr_t>(x.data<std::byte>())), end(begin) {
    if (x.numel() == 0) return;
    for (int d = 0; d < x.rank(); ++d) {
      const int64_t bytes = (x.size(d) - 1) * x.strides()[d] * dtype_size(x.dtype());
      (bytes < 0 ? begin : end) += static_cast<uintptr_t>(bytes);
    }
    end += static_cast<uintptr_t>(dtype_size(x.dtype()));
  }
  bool meets(const Range& other) const { return begin < other.end && other.begin < end; }
  uintptr_t begin, end;
};

bool same_array(const Tensor& a, const Tensor& b) { return a.data<std::byte>() == b.data<std::byte>() && a.strides() == b.strides(); }

void check_name(const Module& module, const std::string& name, const StateDict& taken) {
  if (name.empty() || name.find('.') != std::string::npos)
    throw Error(ErrorCode::invalid_argument, module.name() + ": a name must have no dot and not be empty, got \"" + name + "\"");
  for (const auto& entry : taken)
    if (entry.first == name) throw Error(ErrorCode::invalid_argument, module.name() + ": names must differ, got \"" + name + "\" twice");
}

}  // namespace

Module::Module(Module&& other) noexcept
    : parameters_(std::move(other.parameters_)),
      buffers_(std::move(other.buffers_)),
      children_(other.children_),  // NOLINT(performance-move-constructor-init): both keep them
      training_(other.training_),
      moved_from_(std::exchange(other.moved_from_, true)) {}

Module& Module::operator=(Module&& other) noexcept {
  if (this == &other) return *this;
  parameters_ = std::move(other.parameters_);
  buffers_ = std::move(other.buffers_);
  children_ = other.children_;
  training_ = other.training_;
  moved_from_ = std::exchange(other.moved_from_, true);
  return *this;
}

void Module::check_whole() const {
  if (moved_from_) throw Error(ErrorCode::invalid_argument, name() + ": module must be whole, got one that was moved from");
}

const Module::Children& Module::owned() const {
  check_whole();
  return *children_;
}

Tensor Module::forward(const Tensor&) {
  throw Error(ErrorCode::unsupported, name() + ": forward must be overridden, got a module that has none for one tensor");
}

Tensor Module::add_parameter(std::string name, Tensor value) {
  check_whole();
  check_name(*this, name, parameters_);
  value.set_requires_grad();
  parameters_.emplace_back(std::move(name), value);
  return value;
}

Tensor Module::add_buffer(std::string name, Tensor value) {
  check_whole();
  check_name(*this, name, buffers_);
  buffers_.emplace_back(std::move(name), value);
  return value;
}

void Module::add_child(std::string name, std::shared_ptr<Module> module) {
  check_name(*this, name, {});
  for (const auto& child : owned())
    if (child.first == name) throw Error(ErrorCode::invalid_argument, this->name() + ": names must differ, got \"" + name + "\" twice");
  children_->emplace_back(std::move(name), std::move(module));
}

void Module::collect(const std::string& prefix, bool parameters, bool buffers, StateDict& into) const {
  const Children& children = owned();
  if (parameters)
    for (const auto& [name, value] : parameters_) into.emplace_back(prefix + name, value);
  if (buffers)
    for (const auto& [name, value] : buffers_) into.emplace_back(prefix + name, value);
  for (const auto& [name, child] : children) child->collect(prefix + name + ".", parameters, buffers, into);
}

StateDict Module::named_parameters() const {
  StateDict result;
  collect("", true, false, result);
  return result;
}

StateDict Module::named_buffers() const {
  StateDict result;
  collect("", false, true, result);
  return result;
}

std::vector<Tensor> Module::parameters() const {
  std::vector<Tensor> result;
  for (auto& entry : named_parameters()) result.push_back(entry.second);
  return result;
}

std::vector<std::pair<std::string, Module*>> Module::children() const {
  std::vector<std::pair<std::string, Module*>> result;
  const Children& children = owned();
  result.reserve(children.size());
  for (const auto& [name, child] : children) result.emplace_back(name, child.get());
  return result;
}

int64_t Module::num_parameters() const {
  int64_t count = 0;
  for (const Tensor& p : parameters()) count += p.numel();
  return count;
}

Module& Module::train(bool on) {
  for (const auto& entry : owned()) entry.second->train(on);
  training_ = on;
  return *this;
}

void Module::zero_grad() {
  for (Tensor& p : parameters()) p.zero_grad();
}

StateDict Module::state_dict() const {
  StateDict result;
  collect("", true, true, result);
  for (auto& entry : result) entry.second = entry.second.detach();
  return result;
}

void Module::load_state_dict(const StateDict& values) {
  std::map<std::string, Tensor> given(values.begin(), values.end());
  StateDict own = state_dict();
  const auto refuse = [&](const std::string& text) { throw Error(ErrorCode::shape_mismatch, name() + ": " + text); };
  for (const auto& [key, tensor] : own) {  // check everything before the first copy, so that an error leaves the module unchanged
    const auto it = given.find(key);
    if (it == given.end()) refuse("state must have all entries, got none for " + key);
    if (it->second.shape() != tensor.shape())
      refuse("state must have shape " + tidepool::to_string(tensor.shape()) + " for " + key + ", got " +
             tidepool::to_string(it->second.shape()));
    given.erase(it);
  }
  if (!given.empty()) refuse("state must have the module's entries alone, got " + given.begin()->first);
  // Convert everything before the first copy too. Values in the module's own memory are moved out of the way of the copies.
  const std::map<std::string, Tensor> by_name(values.begin(), values.end());
  std::vector<Tensor> ready;
  ready.reserve(own.size());
  for (const auto& [key, tensor] : own) {
    const Tensor value = by_name.at(key).detach();
    const Range range(value);
    const auto overlaps = [&](const auto& entry) { return range.meets(Range(entry.second)); };
    if (value.dtype() != tensor.dtype())
      ready.push_back(value.to(tensor.dtype()));
    else
      ready.push_back(!same_array(value, tensor) && std::ranges::any_of(own, overlaps) ? value.clone() : value);
  }
  for (size_t i = 0; i < own.size(); ++i) copy_(own[i].second, ready[i]);
}

std::string Module::name() const { return has_type_info(*this) ? unqualified(class_name(typeid(*this).name())) : "Module"; }
std::string Module::extra_repr() const { return ""; }

std::string Module::to_string() const {
  if (moved_from_) return name() + "(moved from)";
  const std::string extra = extra_repr();
  if (owned().empty()) return name() + "(" + extra + ")";
  std::string text = name() + "(\n";
  if (!extra.empty()) text += "  " + indented(extra) + "\n";
  for (const auto& [key, child] : owned()) text += "  (" + key + "): " + indented(child->to_string()) + "\n";
  return text + ")";
}

Sequential::Sequential(std::initializer_list<Element> modules) {
  for (const Element& element : modules) add(std::to_string(size_++), element.module_);
}

Tensor Sequential::forward(const Tensor& x) {
  Tensor y = x;
  for (const auto& entry : children()) y = (*entry.second)(y);
  return y;
}

std::ostream& operator<<(std::ostream& out, const Module& module) { return out << module.to_string(); }

}  // namespace tidepool::inline v0_1::nn
