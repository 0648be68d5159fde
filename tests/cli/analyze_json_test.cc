// The JSON of reports, parsed back: every number, names of all kinds, and that docs/analyze-json.md describes every key.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "support/in_folder.h"
#include "tidepool/analyze/cell.h"
#include "tidepool/analyze/diff.h"
#include "tidepool/analyze/findings.h"
#include "tidepool/analyze/json.h"
#include "tidepool/analyze/text.h"

namespace tidepool::analyze {
namespace {

using nlohmann::json;
using testing::ElementsAre;

json json_of(const Network& net, const Options& options = {}) { return json::parse(to_json(net, analyze(net, options))); }

json ranges(const RangeSet& set) {
  json list = json::array();
  for (const Range& range : set.ranges()) list.push_back({range.begin, range.end});
  return list;
}

json fraction(const Rational& number) { return number.is_whole() ? json(number.numerator()) : json(to_string(number)); }

// Skips, branches, an upsampling, dilation, losses, misalignment, saturation, two inputs, an unknown layer.
Network network_with_everything() {
  Network net =
      parse_network({2, 15, 9},
                    "a: conv 3x3 4 d2 p2, max 2, [ conv 3x3 4 p1 s1 | max 2 s1, up 1, crop 0:0, pad 0:1 ] concat, up 2, conv 3x3 4 p1, "
                    "( conv 3x3 4 p1 ) x9, gap, flatten, linear 3");
  const int other = net.input("other", {1, 1, 7, 7});
  const int pooled = net.add(parse_network({1, 7, 7}, "max 2 s3").node(1).layer, {other});
  net.add(Elementwise{.kind = Elementwise::Kind::activation, .function = "relu"}, {net.add(Unknown{"NonMaxSuppression"}, {pooled})});
  return net;
}

TEST(AnalyzeJson, HoldsTheWholeReport) {
  const Network net = network_with_everything();
  const Report report = analyze(net);
  const json document = json_of(net);
  EXPECT_EQ(document["schema_version"], 1);
  EXPECT_EQ(document["inputs"], json(net.inputs()));
  EXPECT_EQ(document["outputs"], json(net.outputs()));
  ASSERT_EQ(document["axes"].size(), report.axes.size());
  for (size_t i = 0; i < report.axes.size(); ++i)
    EXPECT_EQ(
        document["axes"][i],
        json({{"input", report.axes[i].input}, {"dim", report.axes[i].dim}, {"name", report.axes[i].name}, {"size", report.axes[i].size}}));
  ASSERT_EQ(document["nodes"].size(), net.nodes().size());
  for (size_t at = 0; at < net.nodes().size(); ++at) {
    const Node& node = net.nodes()[at];
    const LayerReport& layer = report.layers[at];
    const json& written = document["nodes"][at];
    EXPECT_EQ(written["name"], node.name);
    EXPECT_EQ(written["kind"], kind_of(node.layer));
    EXPECT_EQ(written["layer"], to_string(node.layer));
    EXPECT_EQ(written["inputs"], json(node.inputs));
    EXPECT_EQ(written["weights"], node.weights);
    EXPECT_EQ(written["blocked_by"], node.is_known() ? json() : json(node.blocked_by));
    EXPECT_EQ(written["shape"], node.is_known() ? json(std::vector<int64_t>(node.shape.begin(), node.shape.end())) : json());
    EXPECT_EQ(written["parameters"], node.parameters);
    EXPECT_EQ(written["multiply_adds"], node.multiply_adds);
    EXPECT_EQ(written["output_bytes"], layer.output_bytes);
    EXPECT_EQ(written["saved_bytes"], layer.saved_bytes);
    EXPECT_EQ(written["moved_bytes"], layer.moved_bytes);
    EXPECT_EQ(written["seconds"].get<double>(), layer.seconds);
    ASSERT_EQ(written["fields"].size(), layer.fields.size());
    for (size_t axis = 0; axis < layer.fields.size(); ++axis) {
      const Field& field = layer.fields[axis];
      EXPECT_EQ(written["fields"][axis], json({{"axis", axis},
                                               {"depends", field.depends},
                                               {"size", field.size},
                                               {"stride", fraction(field.stride)},
                                               {"begin", field.begin},
                                               {"centre", fraction(field.centre)},
                                               {"smallest", fraction(field.smallest)},
                                               {"holes", ranges(field.holes)},
                                               {"at_most", field.at_most},
                                               {"saturated", field.saturated},
                                               {"oversized", field.oversized}}));
    }
  }
  ASSERT_FALSE(report.losses.empty());
  ASSERT_EQ(document["losses"].size(), report.losses.size());
  for (size_t i = 0; i < report.losses.size(); ++i) {
    const Loss& loss = report.losses[i];
    json of_input = json::array();
    for (const auto& [axis, set] : loss.of_input) of_input.push_back({{"axis", axis}, {"positions", ranges(set)}});
    EXPECT_EQ(document["losses"][i], json({{"node", loss.node},
                                           {"dim", loss.dim},
                                           {"cells", ranges(loss.cells)},
                                           {"of_input", of_input},
                                           {"elsewhere", loss.elsewhere},
                                           {"remedies", loss.remedies}}));
  }
  ASSERT_FALSE(report.misalignments.empty());
  ASSERT_EQ(document["misalignments"].size(), report.misalignments.size());
  for (size_t i = 0; i < report.misalignments.size(); ++i) {
    const Misalignment& found = report.misalignments[i];
    json paths = json::array();
    for (const auto& [stride, centre] : found.paths) paths.push_back({{"stride", fraction(stride)}, {"centre", fraction(centre)}});
    EXPECT_EQ(document["misalignments"][i], json({{"node", found.node}, {"axis", found.axis}, {"paths", paths}}));
  }
  EXPECT_EQ(document["unknown"], json(report.unknown));
  EXPECT_EQ(document["input_sizes"], json(report.input_sizes));
  EXPECT_EQ(document["totals"], json({{"parameters", report.parameters},
                                      {"multiply_adds", report.multiply_adds},
                                      {"activation_bytes", report.activation_bytes},
                                      {"inference_bytes", report.inference_bytes},
                                      {"training_bytes", report.training_bytes},
                                      {"moved_bytes", report.moved_bytes},
                                      {"seconds", report.seconds}}));
  const auto all = findings(net, report);
  ASSERT_EQ(document["findings"].size(), all.size());
  for (size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(document["findings"][i], json({{"kind", to_string(all[i].kind)},
                                             {"node", all[i].node < 0 ? json() : json(all[i].node)},
                                             {"text", all[i].text},
                                             {"remedies", all[i].remedies}}));
}

TEST(AnalyzeJson, UnseenPositionsAreByAxis) {
  EXPECT_EQ(json_of(parse_network({1, 8, 7}, "max 2"))["unseen"], json::parse(R"([{"axis": 1, "positions": [[6, 7]]}])"));
  EXPECT_EQ(json_of(parse_network({1, 8, 8}, "max 2"))["unseen"], json::array());
}

TEST(AnalyzeJson, NamesComeBack) {
  std::string all;
  for (int c = 1; c < 128; ++c) all += static_cast<char>(c);
  const std::string names[] = {all, std::string("nul\0nul", 7), "\"\\/\b\f\n\r\t", "größe 図形 🌊", "</script>", std::string(5000, '"')};
  for (const std::string& name : names) {
    Network net;
    const int x = net.input(name, {1, 1, 7, 7});
    net.add(Unknown{name}, {x}, name + "2", name);
    const json document = json_of(net);
    EXPECT_EQ(document["nodes"][0]["name"], name);
    EXPECT_EQ(document["nodes"][1]["name"], name + "2");
    EXPECT_EQ(document["nodes"][1]["weights"], name);
  }
}

TEST(AnalyzeJson, BytesThatAreNotUtf8AreReplaced) {
  const std::string bad = "\xef\xbf\xbd";
  const std::pair<std::string, std::string> names[] = {
      {"a\xff", "a" + bad},
      {"\xc3", bad},
      {"\xc3(", bad + "("},
      {"\xc0\x80", bad + bad},                      // too long a form of 0
      {"\xe0\x80\x80", bad + bad + bad},            // the same in three bytes
      {"\xed\xa0\x80", bad + bad + bad},            // half of a surrogate pair
      {"\xf4\x90\x80\x80", bad + bad + bad + bad},  // beyond the last character
      {"\xf0\x9f\x8c", bad + bad + bad},            // cut off
      {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},     // the last character
  };
  for (const auto& [name, expected] : names) {
    Network net;
    net.add(Elementwise{.function = "relu"}, {net.input(name, {1, 1, 7, 7})});
    EXPECT_EQ(json_of(net)["nodes"][0]["name"], expected);
  }
}

TEST(AnalyzeJson, TheLargestNumbersAreExact) {
  const json document = json_of(parse_network({1, 1, int64_t{1} << 30, int64_t{1} << 29}, "conv 1x1 4 nobias"));
  EXPECT_EQ(document["nodes"][1]["multiply_adds"], int64_t{1} << 61);
  EXPECT_EQ(document["nodes"][1]["output_bytes"], INT64_MAX);
  EXPECT_EQ(document["totals"]["moved_bytes"], INT64_MAX);
}

TEST(AnalyzeJson, DoublesComeBackAndInfinityIsNull) {
  const Network net = parse_network({1, 8, 8}, "max 2");
  for (const double speed : {3.0, 1e10 / 3, 1e300})
    EXPECT_EQ(json_of(net, {.bytes_per_second = speed})["totals"]["seconds"].get<double>(), 320 / speed);
  EXPECT_TRUE(json_of(net, {.bytes_per_second = std::numeric_limits<double>::denorm_min()})["totals"]["seconds"].is_null());
}

void collect_keys(const json& value, std::set<std::string>& keys) {
  if (value.is_object())
    for (const auto& [key, inside] : value.items()) {
      keys.insert(key);
      collect_keys(inside, keys);
    }
  if (value.is_array())
    for (const json& inside : value) collect_keys(inside, keys);
}

TEST(AnalyzeJson, ThePageDescribesEveryKey) {
  const Network net = network_with_everything(), odd = parse_network({1, 8, 7}, "max 2");
  const Report report = analyze(net), odd_report = analyze(odd);
  std::set<std::string> keys;
  collect_keys(json_of(net), keys);
  collect_keys(json_of(odd), keys);
  collect_keys(json::parse(cell_json(net, report, 1, {0, 0})), keys);
  collect_keys(json::parse(diff_json({net, report, "A"}, {odd, odd_report, "B"})), keys);
  EXPECT_GT(keys.size(), 50u);
  const std::string page = test::slurp(TIDEPOOL_SOURCE_DIR "/docs/analyze-json.md");
  for (const std::string& key : keys) EXPECT_NE(page.find("`" + key + "`"), std::string::npos) << key;
}

TEST(DiffJson, HoldsPairsRatiosAndBothReports) {
  const Network a = parse_network({3, 64, 64}, "conv 3x3 8 p1, relu, max 2"),
                b = parse_network({3, 64, 64}, "conv 3x3 8 p1, conv 3x3 8 s2 p1");
  const Report report_a = analyze(a), report_b = analyze(b);
  const json document = json::parse(diff_json({a, report_a, "first"}, {b, report_b, "se\"cond"}));
  EXPECT_EQ(document["schema_version"], 1);
  EXPECT_EQ(document["pairs"],
            json::parse(R"([{"a": 0, "b": 0, "same": true}, {"a": 1, "b": 1, "same": true}, {"a": 2, "b": null, "same": false},
                                               {"a": 3, "b": 2, "same": false}])"));
  EXPECT_EQ(document["a"]["name"], "first");
  EXPECT_EQ(document["b"]["name"], "se\"cond");
  EXPECT_EQ(document["a"]["report"], json_of(a));
  EXPECT_EQ(document["b"]["report"], json_of(b));
  EXPECT_EQ(document["summary"], diff_summary({a, report_a, "first"}, {b, report_b, "se\"cond"}));
  EXPECT_DOUBLE_EQ(document["ratios"]["parameters"], static_cast<double>(report_b.parameters) / static_cast<double>(report_a.parameters));
  EXPECT_DOUBLE_EQ(document["ratios"]["seconds"], report_b.seconds / report_a.seconds);
  const json none =
      json::parse(diff_json({parse_network({1, 8}, "max 2"), analyze(parse_network({1, 8}, "max 2")), "A"}, {b, report_b, "B"}));
  EXPECT_TRUE(none["ratios"]["parameters"].is_null());
}

}  // namespace
}  // namespace tidepool::analyze
