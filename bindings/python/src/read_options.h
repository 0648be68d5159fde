// Python values as options. An op lists its fields once, in visit(); the Python functions hand over a tuple in that order.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "tidepool/tidepool.h"

namespace tidepool::python {

namespace nb = nanobind;

// Converts single values. What has the wrong type is a TypeError, what no rule allows an Error from the library.
class ValueReader {
 protected:
  explicit ValueReader(const char* function) : function_(function) {}

  void read(nb::handle v, Sizes& out) const;
  void read(nb::handle v, Ratios& out) const;
  void read(nb::handle v, Pads& out) const;
  void read(nb::handle v, Dims& out) const;
  void read(nb::handle v, double& out) const;
  void read(nb::handle v, bool& out) const;
  void read(nb::handle v, uint64_t& out) const;
  void read(nb::handle v, CeilMode& out) const;
  void read(nb::handle v, CountPad& out) const;
  void read(nb::handle v, NanPolicy& out) const;
  void read(nb::handle v, IndexBase& out) const;
  void read(nb::handle v, Preset& out) const;
  void read(nb::handle v, IntegerRounding& out) const;
  void read(nb::handle v, std::optional<Size>& out) const;
  void read(nb::handle v, std::optional<IndexBase>& out) const { read(v, out.emplace()); }

  const char* function_;
  const char* name_ = "";
};

// Reads one value of a tuple after another.
class Reader : ValueReader {
 public:
  Reader(const char* function, nb::tuple values) : ValueReader(function), values_(std::move(values)) {}

  template <class Field>
  void operator()(const char* name, Field& field, const char*) {
    if (at_ >= values_.size()) throw nb::type_error("too few options");
    const nb::handle value = values_[at_++];
    name_ = name;
    if (!value.is_none()) read(value, field);
  }

 private:
  nb::tuple values_;
  size_t at_ = 0;
};

template <class Options>
Options read_options(const char* function, const nb::tuple& values) {
  Options o;
  Reader reader(function, values);
  Options::visit(o, reader);
  return o;
}

// One number, or one per axis; None in `keep` mode leaves an axis as it is.
Sizes read_sizes(const char* function, const char* name, nb::handle value, bool none_keeps = false);
Dims read_shape(const char* function, const char* name, nb::handle value);
NanPolicy read_nan(const char* function, nb::handle value);
IndexBase read_index_base(const char* function, nb::handle value);

}  // namespace tidepool::python
