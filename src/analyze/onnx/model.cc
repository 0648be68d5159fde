// Field numbers are those of onnx.proto.
#include "analyze/onnx/model.h"

#include <algorithm>

#include "analyze/onnx/wire.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

TensorProto parse_tensor(WireReader in) {
  TensorProto tensor{.message = in.all()};
  for (WireField field; in.next(field);) {
    if (field.number == 1) in.append(field, tensor.dims);
    if (field.number == 2) tensor.type = in.integer(field);
    if (field.number == 8) tensor.name = in.bytes(field);
    if (field.number == 14) tensor.is_external = in.integer(field) == 1;
  }
  return tensor;
}

// A sparse tensor is a constant of which only the shape is known.
TensorProto parse_sparse_tensor(WireReader in) {
  TensorProto tensor{.is_external = true};
  for (WireField field; in.next(field);) {
    if (field.number == 1) {
      const TensorProto values = parse_tensor(in.message(field));
      tensor.name = values.name;
      tensor.type = values.type;
    }
    if (field.number == 3) in.append(field, tensor.dims);
  }
  return tensor;
}

Attribute parse_attribute(WireReader in) {
  Attribute attribute;
  int64_t type = 0;  // what was found, for files from before the type was written
  using Type = Attribute::Type;
  const auto found = [&](Type which) { type = static_cast<int64_t>(which); };
  for (WireField field; in.next(field);) {
    switch (field.number) {
      case 1:
        attribute.name = in.bytes(field);
        break;
      case 2:
        attribute.real = in.real(field);
        found(Type::real);
        break;
      case 3:
        attribute.integer = in.integer(field);
        found(Type::integer);
        break;
      case 4:
        attribute.string = in.bytes(field);
        found(Type::string);
        break;
      case 5:
        attribute.tensor = parse_tensor(in.message(field));
        found(Type::tensor);
        break;
      case 6:
        found(Type::graph);
        break;
      case 7:
        in.append(field, attribute.reals);
        found(Type::reals);
        break;
      case 8:
        in.append(field, attribute.integers);
        found(Type::integers);
        break;
      case 20:
        attribute.type = in.integer(field);
        break;
      case 22:
        attribute.tensor = parse_sparse_tensor(in.message(field));
        break;
      default:
        break;
    }
  }
  if (attribute.name.empty()) in.fail("an attribute has no name");
  if (attribute.type == 0) attribute.type = type;
  return attribute;
}

NodeProto parse_node(WireReader in) {
  NodeProto node;
  for (WireField field; in.next(field);) {
    if (field.number == 1) node.inputs.push_back(in.bytes(field));
    if (field.number == 2) node.outputs.push_back(in.bytes(field));
    if (field.number == 3) node.name = in.bytes(field);
    if (field.number == 4) node.op = in.bytes(field);
    if (field.number == 5) node.attributes.push_back(parse_attribute(in.message(field)));
    if (field.number == 7) node.domain = in.bytes(field);
  }
  if (node.op.empty()) in.fail("a node has no operator");
  std::vector<std::string_view> names;
  names.reserve(node.attributes.size());
  for (const Attribute& attribute : node.attributes) names.push_back(attribute.name);
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
    in.fail("node '" + shown(node.name) + "' (" + shown(node.op) + ") has the attribute '" + shown(*twice) + "' twice");
  return node;
}

std::vector<Dimension> parse_shape(WireReader in) {
  std::vector<Dimension> shape;
  for (WireField field; in.next(field);) {
    if (field.number != 1) continue;
    WireReader inner = in.message(field);
    Dimension& dim = shape.emplace_back();
    for (WireField part; inner.next(part);) {
      if (part.number == 1) dim.size = inner.integer(part);
      if (part.number == 2) dim.name = inner.bytes(part);
    }
  }
  return shape;
}

void parse_type(WireReader in, ValueInfo& value) {
  for (WireField field; in.next(field);) {
    if (field.number != 1) continue;  // not a tensor
    value.is_tensor = true;
    WireReader tensor = in.message(field);
    for (WireField part; tensor.next(part);) {
      if (part.number == 1) value.type = tensor.integer(part);
      if (part.number == 2) {
        value.has_shape = true;
        value.shape = parse_shape(tensor.message(part));
      }
    }
  }
}

ValueInfo parse_value(WireReader in) {
  ValueInfo value;
  for (WireField field; in.next(field);) {
    if (field.number == 1) value.name = in.bytes(field);
    if (field.number == 2) parse_type(in.message(field), value);
  }
  if (value.name.empty()) in.fail("an input or output has no name");
  return value;
}

void parse_graph(WireReader in, Model& model) {
  for (WireField field; in.next(field);) {
    if (field.number == 1) model.nodes.push_back(parse_node(in.message(field)));
    if (field.number == 5) model.initializers.push_back(parse_tensor(in.message(field)));
    if (field.number == 11) model.inputs.push_back(parse_value(in.message(field)));
    if (field.number == 12) model.outputs.push_back(parse_value(in.message(field)));
    if (field.number == 15) model.initializers.push_back(parse_sparse_tensor(in.message(field)));
  }
}

void parse_opset(WireReader in, Model& model) {
  std::string_view domain;
  int64_t version = 1;
  for (WireField field; in.next(field);) {
    if (field.number == 1) domain = in.bytes(field);
    if (field.number == 2) version = in.integer(field);
  }
  if (domain.empty() || domain == "ai.onnx") model.opset = version;
}

// The length of the UTF-8 character at the beginning; 0 if it is not one, or a control character.
size_t character(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  if (byte(0) < 0x80) return byte(0) < 0x20 || byte(0) == 0x7f ? 0 : 1;
  const size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i)
    if (byte(i) >> 6 != 2) return 0;
  // Control characters of Latin-1, forms that are longer than needed, surrogates, and numbers above 0x10ffff.
  if ((byte(0) == 0xc2 && byte(1) < 0xa0) || (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xed && byte(1) >= 0xa0) ||
      (byte(0) == 0xf0 && byte(1) < 0x90) || (byte(0) == 0xf4 && byte(1) >= 0x90))
    return 0;
  return length;
}

}  // namespace

const Attribute* NodeProto::find(std::string_view attribute) const noexcept {
  for (const Attribute& a : attributes)
    if (a.name == attribute) return &a;
  return nullptr;
}

Model parse_model(std::string_view file) {
  Model model{.file = file};
  bool has_graph = false;
  WireReader in(file);
  for (WireField field; in.next(field);) {
    if (field.number == 7) {
      if (has_graph) in.fail("it has two graphs");
      has_graph = true;
      parse_graph(in.message(field), model);
    }
    if (field.number == 8) parse_opset(in.message(field), model);
  }
  if (!has_graph) in.fail("it has no graph");
  return model;
}

std::string shown(std::string_view name) {
  constexpr size_t longest = 200;
  std::string text;
  while (!name.empty()) {
    const size_t length = character(name);
    if (text.size() + std::max<size_t>(length, 1) > longest) return text + "…";
    text += length == 0 ? std::string_view("?") : name.substr(0, length);
    name.remove_prefix(std::max<size_t>(length, 1));
  }
  return text;
}

}  // namespace tidepool::inline v0_1::analyze::onnx
