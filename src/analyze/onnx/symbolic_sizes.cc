// Takes sizes from the options, and asks for those that are missing.
#include "analyze/onnx/symbolic_sizes.h"

#include <set>
#include <string>

#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

[[noreturn]] void fail(const std::string& rule, ErrorCode code = ErrorCode::invalid_argument) {
  detail::throw_error({code, "read_onnx: " + rule});
}

bool is_open(const Dimension& dim) { return dim.size < 0; }

// "'a', 'b'", and no more than 20 of them.
std::string listed(const std::set<std::string_view>& names) {
  std::string text;
  size_t count = 0;
  for (const std::string_view name : names) {
    if (++count > 20) return text + ", …";
    text += (text.empty() ? "'" : ", '") + shown(name) + "'";
  }
  return text;
}

}  // namespace

SymbolicSizes::SymbolicSizes(const std::vector<const ValueInfo*>& inputs, const OnnxOptions& options) : inputs_(inputs), options_(options) {
  if (options.inputs.size() > inputs.size())
    fail("the shapes of " + std::to_string(options.inputs.size()) + " inputs are given, the file has " + std::to_string(inputs.size()));
  take_given();
  for (size_t i = 0; i < options.inputs.size(); ++i) bind(*inputs[i], options.inputs[i]);
  take_batches();
  ask_for_missing();
}

Dims SymbolicSizes::shape_of(size_t input) const {
  if (input < options_.inputs.size()) return options_.inputs[input];
  Dims shape;
  for (size_t dim = 0; dim < inputs_[input]->shape.size(); ++dim)
    shape.push_back(size_of(*inputs_[input], dim).value_or(1));  // all are known now
  return shape;
}

void SymbolicSizes::take_given() {
  std::set<std::string_view> names;
  for (const ValueInfo* input : inputs_)
    for (const Dimension& dim : input->shape)
      if (is_open(dim) && !dim.name.empty()) names.insert(dim.name);
  for (const auto& [name, size] : options_.sizes) {
    if (!names.contains(name))
      fail("no input has the symbolic size '" + shown(name) + "'; " + (names.empty() ? "there are none" : "there are " + listed(names)));
    if (size < 1) fail("the size '" + shown(name) + "' must be at least 1, got " + std::to_string(size));
    known_[name] = size;
  }
}

// A whole shape decides the symbolic sizes in it.
void SymbolicSizes::bind(const ValueInfo& input, const Dims& shape) {
  if (!input.has_shape) return;
  if (input.shape.size() != shape.size())
    fail("input '" + shown(input.name) + "' has " + std::to_string(input.shape.size()) + " dimensions, the given shape is " +
             to_string(shape),
         ErrorCode::shape_mismatch);
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    const Dimension& d = input.shape[dim];
    if (!is_open(d) || d.name.empty()) continue;
    const int64_t size = shape[static_cast<int>(dim)];
    const auto [found, is_new] = known_.emplace(d.name, size);
    if (!is_new && found->second != size)
      fail("the size '" + shown(d.name) + "' is " + std::to_string(found->second) + " and " + std::to_string(size) + " (input '" +
               shown(input.name) + "')",
           ErrorCode::shape_mismatch);
  }
}

// A batch that has a name has the size 1 wherever the name occurs.
void SymbolicSizes::take_batches() {
  for (size_t i = options_.inputs.size(); i < inputs_.size(); ++i)
    if (const auto& shape = inputs_[i]->shape; shape.size() > 1 && is_open(shape[0]) && !shape[0].name.empty())
      known_.emplace(shape[0].name, 1);
}

std::optional<int64_t> SymbolicSizes::size_of(const ValueInfo& value, size_t dim) const {
  const Dimension& d = value.shape[dim];
  if (!is_open(d)) return d.size;
  if (!d.name.empty())
    if (const auto found = known_.find(d.name); found != known_.end()) return found->second;
  if (dim == 0 && value.shape.size() > 1) return 1;
  return {};
}

// One error for all sizes that are missing.
void SymbolicSizes::ask_for_missing() const {
  std::set<std::string_view> missing;
  for (size_t i = options_.inputs.size(); i < inputs_.size(); ++i) {
    const ValueInfo& value = *inputs_[i];
    const std::string input = "input '" + shown(value.name) + "'";
    if (value.is_tensor && !value.has_shape) fail(input + " has no shape in the file: give it one");
    for (size_t dim = 0; dim < value.shape.size(); ++dim) {
      if (size_of(value, dim)) continue;
      if (value.shape[dim].name.empty())
        fail("dimension " + std::to_string(dim) + " of " + input +
             " has neither a size nor a name in the file: give the whole shape of the input");
      missing.insert(value.shape[dim].name);
    }
  }
  if (missing.empty()) return;
  fail("the file leaves " + listed(missing) + " open: give " + (missing.size() == 1 ? "its size" : "their sizes") + " by name, such as " +
       shown(*missing.begin()) + "=224, or the whole shapes of the inputs");
}

}  // namespace tidepool::inline v0_1::analyze::onnx
