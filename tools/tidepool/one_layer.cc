#include "one_layer.h"

#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::cli {

namespace {

int rank_of(const Dims& shape) { return shape.rank == 1 ? 1 : shape.rank == 5 ? 3 : 2; }

}  // namespace

OneLayer one_layer(const std::string& verb, const Dims& shape, int rank, const std::string& text) {
  OneLayer one;
  one.rank = rank == 0 ? rank_of(shape) : rank;
  if (shape.rank < one.rank || shape.rank > one.rank + 2)
    throw Error(ErrorCode::shape_mismatch, verb + ": a layer with " + std::to_string(one.rank) + " spatial dims takes shapes of " +
                                               std::to_string(one.rank) + " to " + std::to_string(one.rank + 2) + " numbers, got " +
                                               to_string(shape) + " (--rank says how many of them are spatial)");
  Dims full;
  for (int i = shape.rank; i < one.rank + 2; ++i) full.push_back(1);
  for (const int64_t size : shape) full.push_back(size);

  // The text form has no batch for 1-D, so the layer is added again to an input with one.
  Dims one_sample(full.span().subspan(1));
  if (one.rank == 3) one_sample = full;
  const analyze::Network parsed = analyze::parse_network(one_sample, text);
  const auto layers = parsed.nodes().size() - 1;
  if (layers != 1)
    throw Error(ErrorCode::invalid_argument, verb + ": takes one layer, got " + std::to_string(layers) + "; tidepool shape takes networks");
  one.network.input("input", full);
  one.network.add(parsed.node(1).layer, {0});
  return one;
}

}  // namespace tidepool::cli
