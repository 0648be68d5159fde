// Networks as text: branches, repetitions, names and several inputs, and where mistakes are.
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::analyze {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

std::vector<std::string> names_of(const Network& net) {
  std::vector<std::string> names;
  for (const Node& node : net.nodes()) names.push_back(node.name);
  return names;
}

Error error_of(const Dims& shape, std::string_view text) {
  try {
    parse_network(shape, text);
  } catch (const Error& e) {
    return e;
  }
  return {ErrorCode::unsupported, "no error"};
}

}  // namespace

TEST(ParseNetwork, GivesNamesByKind) {
  const Network net = parse_network({3, 8, 8}, "conv 3x3 4 p1, relu, max 2, conv 1x1 2");
  EXPECT_THAT(names_of(net), ElementsAre("input", "conv1", "relu1", "max_pool1", "conv2"));
  EXPECT_EQ(net.node(4).shape, (Dims{1, 2, 4, 4}));
  EXPECT_THAT(net.outputs(), ElementsAre(4));
}

TEST(ParseNetwork, BranchesBeginAtTheSameLayer) {
  const Network net = parse_network({3, 8, 8}, "relu, [ conv 1x1 2 | conv 3x3 4 p1, relu | ] concat");
  EXPECT_EQ(net.nodes().back().shape, (Dims{1, 2 + 4 + 3, 8, 8}));
  EXPECT_THAT(net.nodes().back().inputs, ElementsAre(2, 4, 1));
  EXPECT_THAT(net.node(2).inputs, ElementsAre(1));
  EXPECT_THAT(net.node(3).inputs, ElementsAre(1));
}

TEST(ParseNetwork, BranchesJoinAlongOtherDimensionsAndByOtherFunctions) {
  EXPECT_EQ(parse_network({3, 8, 8}, "[ max 2 | avg 2 ] concat 2").nodes().back().shape, (Dims{1, 3, 8, 4}));
  EXPECT_EQ(to_string(parse_network({3, 8, 8}, "[ relu | ] sub").nodes().back().layer), "sub");
  EXPECT_EQ(to_string(parse_network({3, 8, 8}, "[ relu | ] merge max").nodes().back().layer), "merge max");
  EXPECT_EQ(parse_network({3, 8, 8}, "[ relu | transpose 0 1 3 2 ] matmul").nodes().back().shape, (Dims{1, 3, 8, 8}));
}

TEST(ParseNetwork, RepeatsLayers) {
  const Network net = parse_network({1, 64, 64}, "( conv 3x3 2 p1, ( relu ) x2, max 2 ) x3");
  EXPECT_EQ(net.nodes().size(), 1u + 3 * 4);
  EXPECT_EQ(net.nodes().back().shape, (Dims{1, 2, 8, 8}));
  EXPECT_EQ(net.node(5).parameters, 2 * 2 * 9 + 2);  // the channels of the round before
}

TEST(ParseNetwork, NamedLayersAreUsedAgain) {
  const Network net = parse_network({3, 8, 8}, "a: conv 3x3 4 p1, max 2, up 2, b: add a, from a, concat b, from b, concat 2 a");
  EXPECT_THAT(net.node(4).inputs, ElementsAre(3, 1));
  EXPECT_EQ(net.node(4).name, "b");
  EXPECT_THAT(net.node(5).inputs, ElementsAre(1, 4));
  EXPECT_EQ(net.node(5).shape, (Dims{1, 8, 8, 8}));
  EXPECT_EQ(net.node(6).shape, (Dims{1, 4, 16, 8}));
  EXPECT_EQ(error_of({3, 8, 8}, "a: relu, max 2, concat 3 a").code(), ErrorCode::shape_mismatch);
}

TEST(ParseNetwork, HasSeveralInputs) {
  const Network net = parse_network({3, 8, 8}, "x: relu, mask: input 1x8x8, sigmoid, mul x");
  EXPECT_THAT(net.inputs(), ElementsAre(0, 2));
  EXPECT_EQ(net.node(2).name, "mask");
  EXPECT_EQ(net.nodes().back().shape, (Dims{1, 3, 8, 8}));
}

TEST(ParseNetwork, ShapesMayLackTheBatch) {
  EXPECT_EQ(parse_network({4, 100}, "conv 5 8").node(0).shape, (Dims{1, 4, 100}));
  EXPECT_EQ(parse_network({2, 4, 9, 9}, "relu").node(0).shape, (Dims{2, 4, 9, 9}));
  EXPECT_EQ(parse_network({1, 4, 9, 9, 9}, "max 3").nodes().back().shape, (Dims{1, 4, 3, 3, 3}));
  EXPECT_THAT(error_of({7}, "relu").message(), HasSubstr("the input must be C, L"));
  EXPECT_THAT(error_of({1, 1, 1, 1, 1, 1}, "relu").message(), HasSubstr("got 1x1x1x1x1x1"));
}

TEST(ParseNetwork, LinesMayBreakAnywhere) {
  EXPECT_EQ(parse_network({3, 8, 8}, "\n conv\t3x3 4 p1,\r\n\n[relu|sigmoid]add , (max 2)x2,").nodes().size(), 7u);
}

TEST(ParseNetwork, MistakesHaveAPosition) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"", "network: the network has no layers, at character 1"},
      {"conv 3x3 4, blur 3", "network: unknown layer 'blur'"},
      {"relu ]", "network: unexpected ']', at character 6: \"relu  → ]\""},
      {"[ relu | relu", "network: '[' without ']', at character 1"},
      {"[ relu | relu ]", "network: behind ']' must be concat, add, mul"},
      {"[ relu | relu ] relu", "network: behind ']' must be concat, add, mul"},
      {"( relu x3", "network: unknown option 'x3' of 'relu'"},
      {"( relu", "network: '(' without ')'"},
      {"( relu ) 3", "network: behind ')' must be x and how often, such as x3"},
      {"( relu ) x0", "network: behind ')' must be x and how often"},
      {"a: relu, a: relu", "network: the name 'a' is given twice"},
      {"a:", "network: a layer is missing behind the name"},
      {"relu,, relu", "network: a layer is missing"},
      {"from nowhere", "network: there is no layer 'nowhere' before"},
      {"add", "network: 'add' needs the name of a layer"},
      {"input", "network: 'input' needs a shape, such as 3x64x64"},
      {"input 3x-1x8", "analyze: sizes must be between 1 and"},
  };
  for (const auto& [text, expected] : mistakes) EXPECT_THAT(error_of({3, 8, 8}, text).message(), StartsWith(expected)) << text;
}

TEST(ParseNetwork, LayersThatDoNotFitAreNamedWithTheirText) {
  EXPECT_THAT(error_of({3, 4, 4}, "first: max 2, conv 3x3 4").message(), StartsWith("analyze: layer 'conv1' (conv 3x3 4): "));
  EXPECT_THAT(error_of({3, 4, 4}, "[ relu | max 2 ] add").message(), HasSubstr("shapes must broadcast, got 1x3x4x4 and 1x3x2x2"));
}

TEST(ParseNetwork, EndlessTextsAreRefused) {
  EXPECT_THAT(error_of({1, 8, 8}, "( ( ( relu ) x9999 ) x9999 ) x9999").message(), HasSubstr("more than 1048576 layers"));
  EXPECT_THAT(error_of({1, 8, 8}, "( ( ( ) x999999 ) x999999 ) x999999").message(), HasSubstr("more than 1048576 layers"));
  EXPECT_THAT(error_of({1, 8, 8}, "a: relu, ( ( from a ) x999999 ) x999999").message(), HasSubstr("more than 1048576 layers"));
  EXPECT_THAT(error_of({1, 8, 8}, std::string(100, '[')).message(), HasSubstr("more than 64 brackets inside each other"));
  EXPECT_THAT(error_of({1, 8, 8}, std::string(100000, '(')).message(), HasSubstr("more than 64 brackets inside each other"));
}

}  // namespace tidepool::analyze
