#include "tidepool/analyze/json.h"

#include "analyze/report_json.h"
#include "tidepool/analyze/findings.h"

namespace tidepool::inline v0_1::analyze {

namespace {

class Document {
 public:
  Document(JsonWriter& json, const Network& network, const Report& report) : json_(json), network_(network), report_(report) {}

  void run() {
    json_.begin_object();
    json_.key("schema_version").integer(schema_version);
    json_.key("inputs").integers(network_.inputs());
    json_.key("outputs").integers(network_.outputs());
    array(
        "axes", report_.axes,
        [&](const InputAxis& axis) {
          json_.key("input").integer(axis.input);
          json_.key("dim").integer(axis.dim);
          json_.key("name").string(axis.name);
          json_.key("size").integer(axis.size);
        },
        true);
    size_t at = 0;
    array("nodes", network_.nodes(), [&](const Node& node) { add_node(node, report_.layers[at++]); });
    array("losses", report_.losses, [&](const Loss& loss) { add_loss(loss); });
    array("misalignments", report_.misalignments, [&](const Misalignment& found) { add_misalignment(found); });
    add_unseen();
    json_.key("unknown").integers(report_.unknown);
    add_totals();
    array("findings", findings(network_, report_), [&](const Finding& finding) { add_finding(finding); });
    json_.end_object();
  }

 private:
  template <class List, class Write>
  void array(std::string_view name, const List& list, const Write& write, bool one_line_each = false) {
    json_.key(name).begin_array();
    for (const auto& item : list) {
      if (one_line_each)
        json_.begin_row('{');
      else
        json_.begin_object();
      write(item);
      json_.end_object();
    }
    json_.end_array();
  }

  // Whole numbers as numbers, others as text: "1/2".
  void rational(const Rational& number) {
    if (number.is_whole())
      json_.integer(number.numerator());
    else
      json_.string(to_string(number));
  }

  void ranges(const RangeSet& set) {
    json_.begin_row();
    for (const Range& range : set.ranges()) json_.integers(std::vector<int64_t>{range.begin, range.end});
    json_.end_array();
  }

  void add_node(const Node& node, const LayerReport& layer) {
    json_.key("name").string(node.name);
    json_.key("kind").string(kind_of(node.layer));
    json_.key("layer").string(to_string(node.layer));
    json_.key("inputs").integers(node.inputs);
    json_.key("weights").string(node.weights);
    if (node.is_known()) {
      json_.key("blocked_by").null();
      json_.key("shape").integers(node.shape.span());
    } else {
      json_.key("blocked_by").integer(node.blocked_by);
      json_.key("shape").null();
    }
    json_.key("parameters").integer(node.parameters);
    json_.key("multiply_adds").integer(node.multiply_adds);
    json_.key("output_bytes").integer(layer.output_bytes);
    json_.key("saved_bytes").integer(layer.saved_bytes);
    json_.key("moved_bytes").integer(layer.moved_bytes);
    json_.key("seconds").number(layer.seconds);
    size_t axis = 0;
    array("fields", layer.fields, [&](const Field& field) { add_field(field, axis++); }, true);
  }

  void add_field(const Field& field, size_t axis) {
    json_.key("axis").integer(static_cast<int64_t>(axis));
    json_.key("depends").boolean(field.depends);
    json_.key("size").integer(field.size);
    json_.key("stride");
    rational(field.stride);
    json_.key("begin").integer(field.begin);
    json_.key("centre");
    rational(field.centre);
    json_.key("smallest");
    rational(field.smallest);
    json_.key("holes");
    ranges(field.holes);
    json_.key("at_most").boolean(field.at_most);
    json_.key("saturated").boolean(field.saturated);
    json_.key("oversized").boolean(field.oversized);
  }

  void add_loss(const Loss& loss) {
    json_.key("node").integer(loss.node);
    json_.key("dim").integer(loss.dim);
    json_.key("cells");
    ranges(loss.cells);
    array(
        "of_input", loss.of_input,
        [&](const auto& part) {
          json_.key("axis").integer(part.first);
          json_.key("positions");
          ranges(part.second);
        },
        true);
    json_.key("elsewhere").boolean(loss.elsewhere);
    json_.key("remedies").strings(loss.remedies);
  }

  void add_misalignment(const Misalignment& found) {
    json_.key("node").integer(found.node);
    json_.key("axis").integer(found.axis);
    array(
        "paths", found.paths,
        [&](const auto& path) {
          json_.key("stride");
          rational(path.first);
          json_.key("centre");
          rational(path.second);
        },
        true);
  }

  void add_unseen() {
    json_.key("unseen").begin_array();
    for (size_t axis = 0; axis < report_.unseen.size(); ++axis) {
      if (report_.unseen[axis].empty()) continue;
      json_.begin_row('{');
      json_.key("axis").integer(static_cast<int64_t>(axis));
      json_.key("positions");
      ranges(report_.unseen[axis]);
      json_.end_object();
    }
    json_.end_array();
    json_.key("input_sizes").strings(report_.input_sizes);
  }

  void add_totals() {
    json_.key("totals").begin_object();
    json_.key("parameters").integer(report_.parameters);
    json_.key("multiply_adds").integer(report_.multiply_adds);
    json_.key("activation_bytes").integer(report_.activation_bytes);
    json_.key("inference_bytes").integer(report_.inference_bytes);
    json_.key("training_bytes").integer(report_.training_bytes);
    json_.key("moved_bytes").integer(report_.moved_bytes);
    json_.key("seconds").number(report_.seconds);
    json_.end_object();
  }

  void add_finding(const Finding& finding) {
    json_.key("kind").string(to_string(finding.kind));
    json_.key("node");
    if (finding.node < 0)
      json_.null();
    else
      json_.integer(finding.node);
    json_.key("text").string(finding.text);
    json_.key("remedies").strings(finding.remedies);
  }

  JsonWriter& json_;
  const Network& network_;
  const Report& report_;
};

}  // namespace

void write_report(JsonWriter& json, const Network& network, const Report& report) { Document(json, network, report).run(); }

std::string to_json(const Network& network, const Report& report) {
  JsonWriter json;
  write_report(json, network, report);
  return json.take();
}

}  // namespace tidepool::inline v0_1::analyze
