// Networks of thousands of layers: time and memory in proportion to their number.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "analyze/networks.h"
#include "analyze/onnx_writer.h"
#include "support/forked.h"
#include "tidepool/analyze/report.h"
#include "tidepool/analyze/table.h"
#include "tidepool/analyze/text.h"

namespace tidepool::analyze {

namespace {

// The best of three runs, against a limit for an idle machine. A busy one, or one with sanitizers, gets ten times as long.
template <class Run>
void expect_within(double seconds, const Run& run) {
  double best = 1e9;
  for (int i = 0; i < 3 && best > seconds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  EXPECT_LT(best, 10 * seconds);
}

std::string chain(int layers) { return "( conv 3x3 8 p1, relu ) x" + std::to_string(layers / 2); }

void analyze_text(const std::string& text) {
  const Network net = parse_network({3, 64, 64}, text);
  EXPECT_FALSE(to_table(net, analyze(net)).empty());
}

int64_t most_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;  // kB
}

}  // namespace

TEST(LargeNetworks, ResNet50) {
  const std::string text = test::resnet50();
  expect_within(0.2, [&] { analyze(parse_network({3, 224, 224}, text)); });
}

// With 100 MB of weights, which are not read.
TEST(LargeNetworks, AnOnnxFileWithItsWeights) {
  OnnxWriter file;
  file.input("v0", {1, 512, 14, 14});
  for (int i = 0; i < 11; ++i) {
    const std::string w = "w" + std::to_string(i), from = "v" + std::to_string(i), to = "v" + std::to_string(i + 1);
    file.initializer(tensor({512, 512, 3, 3}, 1, w) + wire::bytes(9, std::string(size_t{512} * 512 * 9 * 4, '\1')));
    file.node("Conv", {from, w}, {to}, {attribute("pads", std::vector<int64_t>{1, 1, 1, 1})});
  }
  const std::string bytes = file.output("v11").file();
  ASSERT_GT(bytes.size(), 100'000'000U);
  expect_within(0.2, [&] { analyze(read_onnx(bytes)); });
}

TEST(LargeNetworks, TenThousandLayers) {
  for (const std::string& text : {chain(10'000), std::string("( [ conv 3x3 3 p1, relu | ] add ) x3333"),
                                  std::string("( max 2, up 2 ) x5000"), "conv 1x1 3 s2, " + chain(10'000), chain(4'000) + ", max 5 s4"})
    expect_within(1, [&] { analyze_text(text); });
}

TEST(LargeNetworks, MemoryIsInProportion) {
  EXPECT_TRUE(test::works_in_child([] {
    analyze_text(chain(10'000));
    const int64_t before = most_memory();
    analyze_text(chain(40'000));
    const int64_t each = (most_memory() - before) / 30'000;  // kB; about 2 without sanitizers
    return each < 8 ? std::string() : std::to_string(each) + " kB for every layer";
  }));
}

}  // namespace tidepool::analyze
