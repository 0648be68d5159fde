#include "fuzz/problem_text.h"

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace tidepool::fuzz {
namespace {

using Bytes = FuzzedDataProvider;

// Nearly always from the range, now and then a number that arithmetic stumbles over. Bytes that have run out read as 0, hence the tests
// for large ones: short inputs shall be plain problems.
std::string number(Bytes& bytes, int64_t low, int64_t high) {
  constexpr int64_t hostile[] = {0,
                                 -1,
                                 std::numeric_limits<int32_t>::max(),
                                 int64_t{1} << 32,
                                 std::numeric_limits<int64_t>::max(),
                                 std::numeric_limits<int64_t>::min()};
  if (bytes.ConsumeIntegral<uint8_t>() > 252) return std::to_string(bytes.PickValueInArray(hostile));
  return std::to_string(bytes.ConsumeIntegralInRange<int64_t>(low, high));
}

// " k3" or " k3x2x1"
std::string per_axis(Bytes& bytes, const char* letter, int rank, int64_t low, int64_t high) {
  std::string text = std::string(" ") + letter + number(bytes, low, high);
  if (bytes.ConsumeBool())
    for (int i = 1; i < rank; ++i) text += "x" + number(bytes, low, high);
  return text;
}

std::string padding(Bytes& bytes, int rank) {
  std::string text = " p";
  for (int i = 0; i < rank; ++i) text += (i ? "x" : "") + number(bytes, 0, 4) + ":" + number(bytes, 0, 4);
  return text;
}

std::string shape(Bytes& bytes, int rank) {
  std::string text = bytes.ConsumeBool() ? number(bytes, 1, 3) + "x" : "";
  text += number(bytes, 1, bytes.ConsumeBool() ? 3 : 40);
  for (int i = 0; i < rank; ++i) text += "x" + number(bytes, 1, i + 1 == rank ? 70 : 9);
  return text;
}

std::string pick(Bytes& bytes, std::initializer_list<const char*> words) {
  return words.begin()[bytes.ConsumeIntegralInRange<size_t>(0, words.size() - 1)];
}

std::string layout(Bytes& bytes, int rank) {
  if (rank == 1) return pick(bytes, {"ncl", "nlc", "strided"});
  if (rank == 2) return pick(bytes, {"nchw", "nhwc", "strided"});
  return pick(bytes, {"ncdhw", "ndhwc", "strided"});
}

// What fits to the op: k with s, p, d; out= alone (adaptive); both (fractional, or the size of an unpooling).
std::string windows(Bytes& bytes, const std::string& op, int rank) {
  const bool odd = bytes.ConsumeIntegral<uint8_t>() > 200;
  if (odd && op != "unpool") {
    const bool fractional = (op == "max" || op == "min") && bytes.ConsumeBool();
    return (fractional ? per_axis(bytes, "k", rank, 1, 4) : "") + per_axis(bytes, "out=", rank, 0, 12);
  }
  std::string text = per_axis(bytes, "k", rank, 1, 6);
  if (bytes.ConsumeBool()) text += per_axis(bytes, "s", rank, 1, 4);
  if (bytes.ConsumeBool()) text += padding(bytes, rank);
  if (bytes.ConsumeIntegral<uint8_t>() > 190) text += per_axis(bytes, "d", rank, 1, 3);
  if (op == "unpool") return text + (odd ? per_axis(bytes, "out=", rank, 1, 30) : "");
  return text + pick(bytes, {"", "", "", " ceil", " ceil_full", " same", " same_lower"});
}

}  // namespace

std::string problem_text(Bytes& bytes) {
  const int rank = bytes.ConsumeIntegralInRange(1, 3);
  const std::string op = pick(bytes, {"max", "min", "avg", "sum", "lp", "unpool"});
  const bool extremum = op == "max" || op == "min";
  std::string text = op + std::to_string(rank) + "d " + pick(bytes, {"fwd", "fwd", "bwd", "bwd2", op == "lp" ? "bwd2x" : "bwd"}) + " " +
                     pick(bytes, {"f32", "f64", "f16", "bf16", "i8", "u8", "i16", "i32", "i64", "bool"}) + " " + layout(bytes, rank) + " " +
                     shape(bytes, rank) + windows(bytes, op, rank);
  if (extremum || op == "unpool") text += pick(bytes, {"", "", " idx=plane", " idx=tensor", " idx=window"});
  if (extremum) text += pick(bytes, {"", "", "", " nan=ignore"});
  if (op == "avg") text += pick(bytes, {"", "", "", " div=valid", " div=full", " div=3", " div=-7"});
  if (op == "avg") text += pick(bytes, {"", "", " round=floor", " round=even"});
  if (op == "lp")
    text += pick(bytes, {"", " p=1", " p=3", " p=0.5", " p=inf", " p=2 signed", " p=-1.5 signed", " p=1e-300", " p=1e300", " p=nan"});
  if (op == "lp") text += pick(bytes, {"", " scaled"});
  return text;
}

}  // namespace tidepool::fuzz
