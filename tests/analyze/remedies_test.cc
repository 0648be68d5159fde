// The remedies of random layers, each applied on its own: nothing is lost then.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>

#include "support/rng.h"
#include "tidepool/analyze/report.h"
#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::analyze {

namespace {

struct Drawn {
  std::string op;  // "max"
  int64_t length = 0, kernel = 0, stride = 0, dilation = 0;
  std::string padding, rest;

  std::string text() const {
    const bool has_channels = op.starts_with("conv");
    return op + " " + std::to_string(kernel) + (has_channels ? " 1" : "") + " s" + std::to_string(stride) +
           (op == "avg" ? "" : " d" + std::to_string(dilation)) + " p" + padding + rest;
  }
};

Drawn drawn(test::Rng& rng) {
  constexpr const char* ops[] = {"max", "avg", "conv", "convt"};
  Drawn layer{.op = ops[rng.between(0, 3)], .length = rng.between(3, 40), .padding = {}, .rest = {}};
  layer.kernel = rng.between(1, 5);
  layer.stride = rng.between(1, 6);
  layer.dilation = rng.between(1, 3);
  const int64_t most = layer.op == "convt" ? 7 : 2;
  layer.padding = std::to_string(rng.between(0, most)) + ":" + std::to_string(rng.between(0, most));
  if (layer.op.starts_with("conv")) return layer;
  if (rng.one_in(3)) layer.rest += " ceil";
  if (rng.one_in(2)) layer.rest += " onnx";
  return layer;
}

bool loses(const Drawn& layer) { return !analyze(parse_network({1, layer.length}, layer.text())).losses.empty(); }

// The first word of the remedy, if it helps; empty if it does not.
std::string applied(Drawn layer, const std::string& remedy) {
  long long a = 0, b = 0;
  if (std::sscanf(remedy.c_str(), "padding %lld:%lld along l", &a, &b) == 2) {
    layer.padding = std::to_string(a) + ":" + std::to_string(b);
  } else if (std::sscanf(remedy.c_str(), "padding %lld along l", &a) == 1) {
    layer.padding = std::to_string(a);
  } else if (remedy == "ceil_mode") {
    layer.rest = " ceil" + layer.rest;
  } else if (std::sscanf(remedy.c_str(), "stride %lld along l", &a) == 1) {
    layer.stride = a;
  } else if (std::sscanf(remedy.c_str(), "adaptive pooling to %lld along l", &a) == 1) {
    if (!analyze(parse_network({1, layer.length}, "adaptive_max " + std::to_string(a))).losses.empty()) return "";
    return "adaptive";
  } else if (const int sizes = std::sscanf(remedy.c_str(), "a layer input of %lld or %lld along l", &a, &b); sizes >= 1) {
    layer.length = a;
    if (loses(layer)) return "";
    if (sizes == 2) layer.length = b;
  } else {
    return "";
  }
  return loses(layer) ? "" : remedy.substr(0, remedy.find(' '));
}

}  // namespace

TEST(Remedies, OfRandomLayersKeepEverything) {
  std::map<std::string, int> helped;
  test::Rng rng(17);
  for (int i = 0; i < 4000; ++i) {
    const Drawn layer = drawn(rng);
    Report report;
    try {
      report = analyze(parse_network({1, layer.length}, layer.text()));
    } catch (const Error&) {  // the windows do not fit
      continue;
    }
    for (const Loss& loss : report.losses)
      for (const std::string& remedy : loss.remedies) {
        const std::string word = applied(layer, remedy);
        EXPECT_NE(word, "") << layer.text() << " of " << layer.length << ": " << remedy;
        ++helped[word];
      }
  }
  for (const char* word : {"padding", "ceil_mode", "stride", "adaptive", "a"}) EXPECT_GT(helped[word], 50) << word;
}

}  // namespace tidepool::analyze
