// A thousand random networks: the computed field of a random cell is exactly the set of elements that receive a gradient.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <sstream>

#include "support/random_network.h"
#include "tidepool/error.h"
#include "tidepool/nn/prove.h"

namespace tidepool::nn {
namespace {

using test::RandomNetwork;

std::string listed(const std::vector<std::vector<int64_t>>& elements) {
  std::string text;
  for (const auto& element : elements) text += " " + to_string(Dims(element));
  return text;
}

std::string difference(const RandomNetwork& random, const Proof& proof) {
  std::ostringstream out;
  out << random.text() << "node " << proof.node << ", cell " << to_string(Dims(proof.cell)) << (proof.exact ? "" : ", not exact") << "\n";
  for (const InputProof& input : proof.inputs)
    out << "input " << input.input << ": " << input.with_gradient << " cells with gradient, " << input.computed
        << " computed\n  gradient alone:" << listed(input.gradient_only) << "\n  computed alone:" << listed(input.computed_only) << "\n";
  return out.str();
}

// A seed to try alone, or how many to try.
int64_t from_environment(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoll(text) : otherwise;
}

}  // namespace

// TIDEPOOL_SEED=n runs one network, TIDEPOOL_NETWORKS=n so many.
TEST(RandomFields, AreWhereTheGradientIs) {
  const int64_t only = from_environment("TIDEPOOL_SEED", -1);
  const int64_t count = from_environment("TIDEPOOL_NETWORKS", 1000);
  int exact = 0, failures = 0;
  for (int64_t seed = only < 0 ? 0 : only; seed < (only < 0 ? count : only + 1) && failures < 5; ++seed) {
    RandomNetwork random(static_cast<uint64_t>(seed));
    const int node = random.node();
    const std::vector<int64_t> cell = random.cell_of(node);
    std::optional<Proof> proof;
    try {
      proof = prove(random.net, node, cell);
    } catch (const Error& error) {
      ADD_FAILURE() << "TIDEPOOL_SEED=" << seed << ": " << error.what() << "\n" << random.text();
      ++failures;
      continue;
    }
    exact += proof->exact ? 1 : 0;
    if (proof->holds()) continue;
    ++failures;
    ADD_FAILURE() << "TIDEPOOL_SEED=" << seed << "\n" << difference(random, *proof);
  }
  if (only < 0) {
    EXPECT_GT(exact, count * 3 / 4);
  }
}

}  // namespace tidepool::nn
