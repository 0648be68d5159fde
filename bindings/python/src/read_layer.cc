#include "read_layer.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "read_options.h"
#include "read_word.h"

namespace tidepool::python {
namespace {

using namespace tidepool::analyze;

constexpr Words<Op, 5> op_words = {{{"max", Op::max}, {"min", Op::min}, {"avg", Op::avg}, {"sum", Op::sum}, {"lp", Op::lp}}};
constexpr Words<Resize::Mode, 3> mode_words = {
    {{"nearest", Resize::Mode::nearest}, {"linear", Resize::Mode::linear}, {"cubic", Resize::Mode::cubic}}};
constexpr Words<Resize::Coordinates, 3> coordinate_words = {{{"half_pixel", Resize::Coordinates::half_pixel},
                                                             {"align_corners", Resize::Coordinates::align_corners},
                                                             {"asymmetric", Resize::Coordinates::asymmetric}}};
constexpr Words<Resize::Rounding, 4> cell_words = {{{"floor", Resize::Rounding::floor},
                                                    {"ceil", Resize::Rounding::ceil},
                                                    {"round_down", Resize::Rounding::round_down},
                                                    {"round_up", Resize::Rounding::round_up}}};
constexpr Words<Elementwise::Kind, 4> elementwise_words = {{{"activation", Elementwise::Kind::activation},
                                                            {"normalisation", Elementwise::Kind::normalisation},
                                                            {"dropout", Elementwise::Kind::dropout},
                                                            {"identity", Elementwise::Kind::identity}}};
constexpr Words<Merge::Kind, 3> merge_words = {
    {{"add", Merge::Kind::add}, {"multiply", Merge::Kind::multiply}, {"other", Merge::Kind::other}}};
constexpr Words<analyze::Pad::Mode, 4> pad_words = {{{"constant", analyze::Pad::Mode::constant},
                                                     {"reflect", analyze::Pad::Mode::reflect},
                                                     {"replicate", analyze::Pad::Mode::replicate},
                                                     {"circular", analyze::Pad::Mode::circular}}};

// Reads the fields of a layer by name, and refuses names that no field has.
class KeywordReader : ValueReader {
 public:
  KeywordReader(const std::string& kind, const nb::dict& values) : ValueReader(kind.c_str()), values_(values) {}

  template <class Field>
  KeywordReader& operator()(const char* name, Field& field) {
    if (!values_.contains(name)) return *this;
    name_ = name;
    ++used_;
    const nb::object value = values_[name];
    if (!value.is_none()) read(value, field);
    return *this;
  }

  void finish() const {
    if (used_ != values_.size())
      throw nb::type_error((std::string(function_) + ": " + std::to_string(values_.size() - used_) + " unknown options").c_str());
  }

 private:
  using ValueReader::read;

  template <class T>
  T cast(nb::handle v, const char* expected) const {
    T value{};
    if (!nb::try_cast(v, value)) Place{function_, name_}.wrong_type(expected, v);
    return value;
  }
  void read(nb::handle v, int64_t& out) const { out = cast<int64_t>(v, "an int"); }
  void read(nb::handle v, int& out) const { out = cast<int>(v, "an int"); }
  void read(nb::handle v, std::string& out) const { out = cast<std::string>(v, "a str"); }
  void read(nb::handle v, std::vector<int>& out) const { out = cast<std::vector<int>>(v, "a sequence of ints"); }
  void read(nb::handle v, std::vector<Sides>& out) const {
    for (const auto& [before, after] : cast<std::vector<std::pair<int64_t, int64_t>>>(v, "a sequence of (before, after)"))
      out.emplace_back(before, after);
  }
  void read(nb::handle v, Op& out) const { out = word(v, op_words); }
  void read(nb::handle v, Resize::Mode& out) const { out = word(v, mode_words); }
  void read(nb::handle v, Resize::Coordinates& out) const { out = word(v, coordinate_words); }
  void read(nb::handle v, Resize::Rounding& out) const { out = word(v, cell_words); }
  void read(nb::handle v, Elementwise::Kind& out) const { out = word(v, elementwise_words); }
  void read(nb::handle v, Merge::Kind& out) const { out = word(v, merge_words); }
  void read(nb::handle v, analyze::Pad::Mode& out) const { out = word(v, pad_words); }

  template <class Enum, size_t N>
  Enum word(nb::handle v, const Words<Enum, N>& words) const {
    return read_word(Place{function_, name_}, v, words);
  }

  nb::dict values_;
  size_t used_ = 0;
};

void fields(KeywordReader& r, Conv& l) {
  r("out_channels", l.out_channels)("kernel_size", l.kernel_size)("stride", l.stride)("padding", l.padding)("dilation", l.dilation);
  r("groups", l.groups)("bias", l.bias);
}
void fields(KeywordReader& r, ConvTranspose& l) {
  r("out_channels", l.out_channels)("kernel_size", l.kernel_size)("stride", l.stride)("padding", l.padding)("dilation", l.dilation);
  r("output_padding", l.output_padding)("groups", l.groups)("bias", l.bias);
}
void fields(KeywordReader& r, WindowOptions& w) {
  r("kernel_size", w.kernel_size)("stride", w.stride)("padding", w.padding)("dilation", w.dilation)("ceil_mode", w.ceil_mode);
}
void fields(KeywordReader& r, Pool& l) {
  r("op", l.op);
  fields(r, l.windows);
}
void fields(KeywordReader& r, AdaptivePool& l) { r("op", l.op)("output_size", l.output_size); }
void fields(KeywordReader& r, FractionalPool& l) { r("kernel_size", l.kernel_size)("output_size", l.output_size); }
void fields(KeywordReader& r, Unpool& l) {
  r("output_size", l.output_size);
  fields(r, l.windows);
}
void fields(KeywordReader& r, Resize& l) {
  r("mode", l.mode)("coordinates", l.coordinates)("rounding", l.rounding)("output_size", l.output_size)("scale", l.scale);
}
void fields(KeywordReader& r, Linear& l) { r("out_features", l.out_features)("bias", l.bias); }
void fields(KeywordReader& r, Elementwise& l) {
  r("kind", l.kind)("function", l.function)("parameters_per_channel", l.parameters_per_channel)("saves_output", l.saves_output);
}
void fields(KeywordReader& r, StatisticsNorm& l) { r("function", l.function)("parameters", l.parameters); }
void fields(KeywordReader& r, Softmax& l) { r("dim", l.dim); }
void fields(KeywordReader& r, Merge& l) { r("kind", l.kind)("function", l.function); }
void fields(KeywordReader& r, Concat& l) { r("dim", l.dim); }
void fields(KeywordReader& r, Flatten& l) { r("start_dim", l.start_dim)("end_dim", l.end_dim); }
void fields(KeywordReader& r, Reshape& l) { r("shape", l.shape); }
void fields(KeywordReader& r, Transpose& l) { r("order", l.order); }
void fields(KeywordReader& r, analyze::Slice& l) { r("dim", l.dim)("begin", l.begin)("end", l.end)("step", l.step); }
void fields(KeywordReader& r, analyze::Pad& l) { r("sides", l.sides)("mode", l.mode); }
void fields(KeywordReader& r, Reduce& l) { r("function", l.function)("dims", l.dims)("keepdim", l.keepdim); }
void fields(KeywordReader&, MatMul&) {}
void fields(KeywordReader& r, Unknown& l) { r("function", l.function); }

template <class L>
Layer read(KeywordReader& reader) {
  L layer;
  fields(reader, layer);
  reader.finish();
  return layer;
}

constexpr std::pair<std::string_view, Layer (*)(KeywordReader&)> kinds[] = {
    {"conv", read<Conv>},
    {"conv_transpose", read<ConvTranspose>},
    {"pool", read<Pool>},
    {"adaptive_pool", read<AdaptivePool>},
    {"fractional_pool", read<FractionalPool>},
    {"unpool", read<Unpool>},
    {"resize", read<Resize>},
    {"linear", read<Linear>},
    {"elementwise", read<Elementwise>},
    {"statistics_norm", read<StatisticsNorm>},
    {"softmax", read<Softmax>},
    {"merge", read<Merge>},
    {"concat", read<Concat>},
    {"flatten", read<Flatten>},
    {"reshape", read<Reshape>},
    {"transpose", read<Transpose>},
    {"slice", read<analyze::Slice>},
    {"pad", read<analyze::Pad>},
    {"reduce", read<Reduce>},
    {"matmul", read<MatMul>},
    {"unknown", read<Unknown>},
};

}  // namespace

Layer read_layer(const std::string& kind, const nb::dict& options) {
  for (const auto& [name, layer] : kinds)
    if (name == kind) {
      KeywordReader reader(kind, options);
      return layer(reader);
    }
  throw nb::type_error(("there is no kind of layer called " + kind).c_str());
}

}  // namespace tidepool::python
