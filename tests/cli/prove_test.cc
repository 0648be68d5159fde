// The text of a proof by gradients.
#include "prove.h"

#include <gmock/gmock.h>

#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string proof_of(const Dims& shape, const char* layers, const std::vector<int64_t>& cell) {
  const analyze::Network network = analyze::parse_network(shape, layers);
  return prove_text(network, network.outputs()[0], cell).text;
}

TEST(ProveText, DrawsTheFieldWithItsHoles) {
  const std::string text = proof_of({1, 9, 9}, "conv 2x3 4 d2, relu", {3, 1});
  EXPECT_THAT(text, HasSubstr("layer relu1 (relu), cell 3,1: the field is proven by gradients\n"));
  EXPECT_THAT(text, HasSubstr("input: 6 of 81 cells receive a gradient (h 3, 5; w 1, 3, 5). They are exactly the computed field.\n"));
  EXPECT_THAT(text, HasSubstr("with gradient"));
  EXPECT_THAT(text, HasSubstr("  .......  "));
  EXPECT_THAT(text, HasSubstr("  .#.#.#.  "));
  EXPECT_THAT(text, HasSubstr("of them; its standard deviation is "));
}

TEST(ProveText, OneDimensionIsOneLine) {
  EXPECT_THAT(proof_of({1, 12}, "max 2, max 2", {1}), HasSubstr("  .####.  "));
  EXPECT_THAT(proof_of({1, 12}, "max 2, max 2", {1}), HasSubstr("(l 4-7)"));
}

TEST(ProveText, LargeFieldsAndPlanesOfThreeDimensionsHaveNoPicture) {
  EXPECT_THAT(proof_of({1, 80, 80}, "conv 41x41 1", {3, 3}), Not(HasSubstr("with gradient")));
  EXPECT_THAT(proof_of({1, 1, 6, 6, 6}, "max 2", {1, 1, 1}), HasSubstr("8 of 216 cells receive a gradient (d 2-3; h 2-3; w 2-3)"));
}

TEST(ProveText, UpperBoundsAreCalledSo) {
  EXPECT_THAT(proof_of({1, 9, 9}, "fractional_max 2 out=4", {1, 1}),
              HasSubstr("They are inside the computed field of 81, which is an upper bound"));
}

TEST(ProveText, SaysWhatIsNotMeasured) {
  analyze::Network network;
  const int x = network.input("x", {1, 1, 4});
  const int odd = network.add(analyze::Elementwise{analyze::Elementwise::Kind::activation, "wavelet"}, {x}, "odd");
  EXPECT_THAT(prove_text(network, odd, {1}).text, HasSubstr("Where the gradient is large was not measured: run_network: layer 'odd'"));
  const int unknown = network.add(analyze::Unknown{"Magic"}, {x});
  EXPECT_THROW(prove_text(network, unknown, {}), Error);
}

}  // namespace
}  // namespace tidepool::cli
