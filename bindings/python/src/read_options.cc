#include "read_options.h"

#include <array>

#include "read_word.h"

namespace tidepool::python {
namespace {

int64_t integer(const Place& at, nb::handle v, const char* expected) {
  if (PyBool_Check(v.ptr()) || !PyIndex_Check(v.ptr())) at.wrong_type(expected, v);
  const nb::object number = nb::steal(PyNumber_Index(v.ptr()));
  if (!number.is_valid()) throw nb::python_error();
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) throw Error(ErrorCode::overflow, at.text() + " must fit 64 bits");
  return value;
}

bool is_list(nb::handle v) { return PyTuple_Check(v.ptr()) || PyList_Check(v.ptr()); }

// Calls f(i, element) and returns how many there were; elements past what can be kept are counted only, so that the library can refuse
// them.
template <class F>
int64_t each(const Place& at, nb::handle v, const char* expected, F f) {
  // A tuple, because converting an element may run Python code that shortens a list.
  const nb::object elements = nb::steal(PySequence_Check(v.ptr()) && !PyUnicode_Check(v.ptr()) ? PySequence_Tuple(v.ptr()) : nullptr);
  if (!elements.is_valid()) {
    PyErr_Clear();
    at.wrong_type(expected, v);
  }
  const Py_ssize_t n = NB_TUPLE_GET_SIZE(elements.ptr());
  for (Py_ssize_t i = 0; i < n; ++i) f(static_cast<size_t>(i), nb::handle(NB_TUPLE_GET_ITEM(elements.ptr(), i)));
  return n;
}

constexpr const char* sizes_expected = "an int or a sequence of ints";

Sizes sizes(const Place& at, nb::handle v, bool none_keeps) {
  Sizes out;
  if (PyIndex_Check(v.ptr()) && !PyBool_Check(v.ptr())) {
    out.values[0] = integer(at, v, sizes_expected);
    out.count = 1;
    return out;
  }
  out.count = each(at, v, sizes_expected, [&](size_t i, nb::handle e) {
    const int64_t value = none_keeps && e.is_none() ? keep_size : integer(at, e, sizes_expected);
    if (i < out.values.size()) out.values[i] = value;
  });
  return out;
}

constexpr Words<PaddingMode, 4> padding_words = {{{"same", PaddingMode::same_upper},
                                                  {"same_upper", PaddingMode::same_upper},
                                                  {"same_lower", PaddingMode::same_lower},
                                                  {"valid", PaddingMode::valid}}};
constexpr Words<Rounding, 3> rounding_words = {{{"floor", Rounding::floor}, {"ceil", Rounding::ceil}, {"ceil_full", Rounding::ceil_full}}};
constexpr Words<Divisor, 3> divisor_words = {
    {{"window_in_padded", Divisor::window_in_padded}, {"full_kernel", Divisor::full_kernel}, {"valid_only", Divisor::valid_only}}};
constexpr Words<NanPolicy, 2> nan_words = {{{"propagate", NanPolicy::propagate}, {"ignore", NanPolicy::ignore}}};
constexpr Words<IndexBase, 3> base_words = {{{"plane", IndexBase::plane}, {"tensor", IndexBase::tensor}, {"window", IndexBase::window}}};
constexpr Words<Preset, 4> preset_words = {
    {{"torch", Preset::torch}, {"onnx", Preset::onnx}, {"tensorflow", Preset::tensorflow}, {"caffe", Preset::caffe}}};
constexpr Words<IntegerRounding, 3> integer_words = {
    {{"truncate", IntegerRounding::truncate}, {"floor", IntegerRounding::floor}, {"nearest_even", IntegerRounding::nearest_even}}};

}  // namespace

void ValueReader::read(nb::handle v, Sizes& out) const { out = sizes({function_, name_}, v, false); }

void ValueReader::read(nb::handle v, Ratios& out) const {
  const Place at{function_, name_};
  const auto number = [&](nb::handle e) {
    const double value = PyFloat_AsDouble(e.ptr());
    if (value == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      at.wrong_type("a float or a sequence of floats", e);
    }
    return value;
  };
  if (!is_list(v)) {
    out.values[0] = number(v);
    out.count = 1;
    return;
  }
  out.count = each(at, v, "a float or a sequence of floats", [&](size_t i, nb::handle e) {
    if (const double value = number(e); i < out.values.size()) out.values[i] = value;
  });
}

void ValueReader::read(nb::handle v, Pads& out) const {
  const Place at{function_, name_};
  constexpr const char* expected = "an int, one int per axis, (before, after) per axis, \"same\", \"same_lower\" or \"valid\"";
  if (PyUnicode_Check(v.ptr())) {
    out.mode = read_word(at, v, padding_words);
    return;
  }
  if (PyIndex_Check(v.ptr()) && !PyBool_Check(v.ptr())) {
    out.sides[0] = Sides(integer(at, v, expected));
    return;
  }
  out.count = each(at, v, expected, [&](size_t i, nb::handle e) {
    Sides sides;
    if (is_list(e)) {
      int64_t pair[2] = {0, 0};
      const int64_t n = each(at, e, expected, [&](size_t j, nb::handle side) {
        if (const int64_t value = integer(at, side, expected); j < 2) pair[j] = value;
      });
      if (n != 2) throw Error(ErrorCode::invalid_argument, at.text() + " must have 2 sides per axis, got " + std::to_string(n));
      sides = Sides(pair[0], pair[1]);
    } else {
      sides = Sides(integer(at, e, expected));
    }
    if (i < out.sides.size()) out.sides[i] = sides;
  });
}

void ValueReader::read(nb::handle v, Dims& out) const { out = read_shape(function_, name_, v); }

void ValueReader::read(nb::handle v, double& out) const {
  out = PyFloat_AsDouble(v.ptr());
  if (out == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    Place{function_, name_}.wrong_type("a number", v);
  }
}

void ValueReader::read(nb::handle v, bool& out) const {
  const int truth = PyObject_IsTrue(v.ptr());
  if (truth < 0) throw nb::python_error();
  out = truth != 0;
}

void ValueReader::read(nb::handle v, uint64_t& out) const {
  const Place at{function_, name_};
  if (PyBool_Check(v.ptr()) || !PyIndex_Check(v.ptr())) at.wrong_type("an int", v);
  // Any number will do as a seed: the low 64 bits count.
  const nb::object number = nb::steal(PyNumber_Index(v.ptr()));
  if (!number.is_valid()) throw nb::python_error();
  out = PyLong_AsUnsignedLongLongMask(number.ptr());
}

void ValueReader::read(nb::handle v, CeilMode& out) const {
  if (PyUnicode_Check(v.ptr())) {
    out = read_word(Place{function_, name_}, v, rounding_words);
    return;
  }
  bool on = false;
  read(v, on);
  out = on;
}

void ValueReader::read(nb::handle v, CountPad& out) const {
  if (PyUnicode_Check(v.ptr())) {
    out = read_word(Place{function_, name_}, v, divisor_words);
    return;
  }
  bool on = false;
  read(v, on);
  out = on;
}

void ValueReader::read(nb::handle v, NanPolicy& out) const { out = read_word(Place{function_, name_}, v, nan_words); }
void ValueReader::read(nb::handle v, IndexBase& out) const { out = read_word(Place{function_, name_}, v, base_words); }
void ValueReader::read(nb::handle v, Preset& out) const { out = read_word(Place{function_, name_}, v, preset_words); }
void ValueReader::read(nb::handle v, IntegerRounding& out) const { out = read_word(Place{function_, name_}, v, integer_words); }
void ValueReader::read(nb::handle v, std::optional<Size>& out) const { out = Size(integer({function_, name_}, v, "an int")); }

Sizes read_sizes(const char* function, const char* name, nb::handle value, bool none_keeps) {
  return sizes({function, name}, value, none_keeps);
}

Dims read_shape(const char* function, const char* name, nb::handle value) {
  const Place at{function, name};
  std::array<int64_t, max_rank> list{};
  const int64_t n = each(at, value, "a sequence of ints", [&](size_t i, nb::handle e) {
    if (const int64_t size = integer(at, e, "a sequence of ints"); i < list.size()) list[i] = size;
  });
  if (n > max_rank) throw Error(ErrorCode::invalid_argument, at.text() + " must have at most 8 entries, got " + std::to_string(n));
  return std::span<const int64_t>(list.data(), static_cast<size_t>(n));
}

NanPolicy read_nan(const char* function, nb::handle value) {
  return value.is_none() ? NanPolicy::propagate : read_word(Place{function, "nan"}, value, nan_words);
}

IndexBase read_index_base(const char* function, nb::handle value) {
  return value.is_none() ? IndexBase::plane : read_word(Place{function, "index_base"}, value, base_words);
}

}  // namespace tidepool::python
