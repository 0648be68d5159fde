// Attributes of a node, with their types checked.
#include "analyze/onnx/call.h"

namespace tidepool::inline v0_1::analyze::onnx {

const Attribute* Call::attribute(std::string_view name, Attribute::Type type, std::string_view type_name) const {
  const Attribute* found = node_.find(name);
  if (found != nullptr && found->type != static_cast<int64_t>(type))
    fail("attribute '" + std::string(name) + "' must be " + std::string(type_name) + ", its type is " + std::to_string(found->type));
  return found;
}

int64_t Call::integer(std::string_view name, int64_t otherwise) const {
  const Attribute* found = attribute(name, Attribute::Type::integer, "an integer");
  return found == nullptr ? otherwise : found->integer;
}

std::string_view Call::text(std::string_view name, std::string_view otherwise) const {
  const Attribute* found = attribute(name, Attribute::Type::string, "a string");
  return found == nullptr ? otherwise : found->string;
}

std::optional<Ints> Call::integers(std::string_view name) const {
  // A list without elements may be written without its type.
  if (const Attribute* found = node_.find(name); found != nullptr && found->type == 0) return Ints();
  const Attribute* found = attribute(name, Attribute::Type::integers, "a list of integers");
  if (found == nullptr) return {};
  return found->integers;
}

std::optional<Reals> Call::reals(std::string_view name) const {
  const Attribute* found = attribute(name, Attribute::Type::reals, "a list of floats");
  if (found == nullptr) return {};
  return Reals(found->reals.begin(), found->reals.end());
}

Sizes Call::sizes(std::string_view name, int axes, int64_t otherwise) const {
  const auto list = integers(name);
  if (!list) return Sizes::from(std::vector<int64_t>(static_cast<size_t>(axes), otherwise));
  if (static_cast<int>(list->size()) != axes)
    fail("attribute '" + std::string(name) + "' must have " + std::to_string(axes) + " values, got " + std::to_string(list->size()));
  return Sizes::from(*list);
}

}  // namespace tidepool::inline v0_1::analyze::onnx
