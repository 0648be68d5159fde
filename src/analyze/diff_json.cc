#include "analyze/diff_totals.h"
#include "analyze/report_json.h"
#include "tidepool/analyze/diff.h"

namespace tidepool::inline v0_1::analyze {

namespace {

void index_or_null(JsonWriter& json, int node) {
  if (node < 0)
    json.null();
  else
    json.integer(node);
}

void write_side(JsonWriter& json, const char* key, const Compared& of) {
  json.key(key).begin_object();
  json.key("name").string(of.name);
  json.key("report");
  write_report(json, of.network, of.report);
  json.end_object();
}

}  // namespace

std::string diff_json(const Compared& a, const Compared& b) {
  JsonWriter json;
  json.begin_object();
  json.key("schema_version").integer(schema_version);
  json.key("summary").string(diff_summary(a, b));
  json.key("pairs").begin_array();
  for (const LayerPair& pair : paired_layers(a.network, b.network)) {
    json.begin_row('{');
    json.key("a");
    index_or_null(json, pair.a);
    json.key("b");
    index_or_null(json, pair.b);
    json.key("same").boolean(pair.same);
    json.end_object();
  }
  json.end_array();
  json.key("ratios").begin_object();
  for (const TotalPair& total : paired_totals(a.report, b.report)) {
    json.key(total.key);
    if (total.ratio)
      json.number(*total.ratio);
    else
      json.null();
  }
  json.end_object();
  write_side(json, "a", a);
  write_side(json, "b", b);
  json.end_object();
  return json.take();
}

}  // namespace tidepool::inline v0_1::analyze
