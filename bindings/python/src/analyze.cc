// Networks, and what the analysis says about them.
#include "tidepool/analyze.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "call.h"
#include "read_layer.h"
#include "tidepool/analyze/onnx.h"

namespace tidepool::python {
namespace {

using nb::arg;

// A network with its report.
struct Analysed {
  analyze::Network network;
  analyze::Report report;
};

nb::tuple tuple_of(const Dims& shape) {
  nb::list sizes;
  for (const int64_t size : shape) sizes.append(size);
  return nb::tuple(sizes);
}

using Ranges = std::vector<std::pair<int64_t, int64_t>>;

// What cells depend on: for each input its node, whether it is exact, and boxes with ranges along each dimension.
using Seen = std::vector<std::tuple<int, bool, std::vector<std::vector<Ranges>>>>;

Seen seen(const std::vector<analyze::Dependence>& inputs) {
  Seen found;
  for (const analyze::Dependence& input : inputs) {
    std::vector<std::vector<Ranges>> boxes;
    for (const analyze::Box& box : input.boxes) {
      auto& dims = boxes.emplace_back();
      for (const analyze::RangeSet& set : box.dims) {
        Ranges& ranges = dims.emplace_back();
        for (const Range& range : set.ranges()) ranges.emplace_back(range.begin, range.end);
      }
    }
    found.emplace_back(input.input, input.exact, std::move(boxes));
  }
  return found;
}

// One range of positions for each dimension from the third on, in all samples and channels.
analyze::Box cells_in(const Dims& shape, const Ranges& ranges) {
  std::vector<int64_t> first, last;
  for (const auto& [begin, end] : ranges) {
    first.push_back(begin);
    last.push_back(std::max(begin, end - 1));
  }
  analyze::Box box = analyze::one_cell(shape, first);  // checks them
  (void)analyze::one_cell(shape, last);
  for (size_t i = 0; i < ranges.size(); ++i) box.dims[i + 2] = analyze::RangeSet(Range{first[i], last[i] + 1});
  return box;
}

void define_network(nb::module_& m) {
  using analyze::Network;
  nb::class_<Network>(m, "Network")
      .def(nb::init<>())
      .def(
          "input",
          [](Network& n, std::string name, nb::handle shape) { return n.input(std::move(name), read_shape("analyze", "shape", shape)); },
          arg("name"), arg("shape"))
      .def(
          "constant",
          [](Network& n, nb::handle shape, int64_t parameters, std::string name, std::string weights) {
            return n.constant(read_shape("analyze", "shape", shape), parameters, std::move(name), std::move(weights));
          },
          arg("shape"), arg("parameters") = 0, arg("name") = "", arg("weights") = "")
      .def(
          "add",
          [](Network& n, const std::string& kind, const std::vector<int>& inputs, const nb::dict& options, std::string name,
             std::string weights) { return n.add(read_layer(kind, options), inputs, std::move(name), std::move(weights)); },
          arg("kind"), arg("inputs"), arg("options"), arg("name") = "", arg("weights") = "")
      .def("set_parameters", &Network::set_parameters, arg("node"), arg("parameters"))
      .def("output", &Network::output, arg("node"))
      .def("find", &Network::find, arg("name"))
      .def(
          "shape",
          [](const Network& n, int node) -> nb::object {
            if (!n.node(node).is_known()) return nb::none();
            return tuple_of(n.node(node).shape);
          },
          arg("node"))
      .def("__len__", [](const Network& n) { return n.nodes().size(); });
}

void define_report(nb::module_& m) {
  const auto unlocked = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<Analysed>(m, "Report")
      .def(
          "dependence",
          [](const Analysed& a, int node, const Ranges& cells) {
            return seen(analyze::dependence(a.network, node, cells_in(a.network.node(node).shape, cells)));
          },
          arg("node"), arg("cells"), unlocked)
      .def(
          "table",
          [](const Analysed& a, int columns, bool colour) {
            return analyze::to_table(a.network, a.report, {.columns = columns, .colour = colour});
          },
          arg("columns"), arg("colour"), unlocked)
      .def(
          "html",
          [](const Analysed& a, std::string title, std::string picture) {
            return analyze::to_html(a.network, a.report, {.title = std::move(title), .picture_href = std::move(picture)});
          },
          arg("title"), arg("picture"), unlocked)
      .def(
          "chain_svg", [](const Analysed& a) { return analyze::chain_svg(a.network, a.report); }, unlocked)
      .def(
          "field_svg",
          [](const Analysed& a, int node, const std::vector<int64_t>& cell, std::string picture) {
            return analyze::field_svg(a.network, node, cell, {.picture_href = std::move(picture)});
          },
          arg("node"), arg("cell"), arg("picture"), unlocked)
      .def(
          "markdown", [](const Analysed& a) { return analyze::to_markdown(a.network, a.report); }, unlocked)
      .def("json", [](const Analysed& a) { return analyze::to_json(a.network, a.report); }, unlocked);
}

}  // namespace

void define_analyze(nb::module_& m) {
  define_network(m);
  define_report(m);
  m.def(
      "analyze",
      [](const analyze::Network& network, int64_t element_size, double bytes_per_second) {
        return Analysed{network, analyze::analyze(network, {.element_size = element_size, .bytes_per_second = bytes_per_second})};
      },
      arg("network"), arg("element_size"), arg("bytes_per_second"), nb::call_guard<nb::gil_scoped_release>());
  m.def(
      "parse_network",
      [](nb::handle shape, const std::string& text) { return analyze::parse_network(read_shape("analyze", "shape", shape), text); },
      arg("shape"), arg("text"));
  m.def(
      "read_onnx",
      [](const nb::bytes& file, std::map<std::string, int64_t> sizes, const std::vector<std::vector<int64_t>>& inputs) {
        analyze::OnnxOptions options{.sizes = std::move(sizes)};
        for (const auto& shape : inputs) options.inputs.emplace_back(shape);
        const std::string_view bytes(static_cast<const char*>(file.data()), file.size());
        const nb::gil_scoped_release release;
        return analyze::read_onnx(bytes, options);
      },
      arg("file"), arg("sizes"), arg("inputs"));
}

}  // namespace tidepool::python
