// The fast check of one-byte window indices: taps are looked up in tables of 16 bytes, 16 to 64 of them at once.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/backward/valid_taps.cc"
#include "hwy/foreach_target.h"
// foreach_target comes first
#include "hwy/highway.h"
#include "kernels/backward/valid_taps.h"
#include "kernels/dispatch.h"
#include "kernels/held-inl.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline bool each_valid(const TapRules& rules, const TapRow& row, int64_t begin, int64_t position) noexcept {
  for (int64_t i = begin; i < row.count; ++i) {
    const uint8_t tap = row.taps[i];
    if (tap > rules.last ? !(tap == 255 && rules.may_be_none) : (rules.bits[tap] & row.forbidden[position]) != 0) return false;
    if (++position == row.period) position = 0;
  }
  return true;
}

#if HWY_TARGET == HWY_SCALAR

bool check_taps(const TapRules& rules, const TapRow& row) { return each_valid(rules, row, 0, 0); }

#else

// kTables: of 16 taps each.
template <int kTables>
bool check_taps_by(const TapRules& rules, const TapRow& row) {
  const hn::ScalableTag<uint8_t> d;
  using V = Held<decltype(d)>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  V tables[kTables];
  unrolled<kTables>([&](auto t) HWY_ATTR { tables[t] = hn::LoadDup128(d, rules.bits + 16 * t); });
  // 255 becomes 0, below all taps, where it is allowed.
  const uint8_t shift = rules.may_be_none ? 1 : 0;
  const auto shifted = hn::Set(d, shift), last = hn::Set(d, static_cast<uint8_t>(rules.last + shift));
  V bad = hn::Zero(d);
  int64_t i = 0, position = 0;
  for (; i + lanes <= row.count; i += lanes) {
    const auto tap = hn::LoadU(d, row.taps + i), forbidden = hn::LoadU(d, row.forbidden + position);
    bad = hn::Or(bad, hn::SaturatedSub(hn::Add(tap, shifted), last));
    unrolled<kTables>([&](auto t) HWY_ATTR {
      // Taps of other tables get their highest bit, for which the lookup gives 0.
      const auto number = hn::Sub(tap, hn::Set(d, static_cast<uint8_t>(16 * t)));
      const auto at = hn::And(hn::SaturatedAdd(number, hn::Set(d, uint8_t{0x70})), hn::Set(d, uint8_t{0x8f}));
      bad = hn::Or(bad, hn::And(hn::TableLookupBytesOr0(vector_of(d, tables[t]), at), forbidden));
    });
    for (position += lanes; position >= row.period;) position -= row.period;
  }
  return hn::AllTrue(d, hn::Eq(vector_of(d, bad), hn::Zero(d))) && each_valid(rules, row, i, position);
}

bool check_taps(const TapRules& rules, const TapRow& row) {
  return rules.last < 16 ? check_taps_by<1>(rules, row) : rules.last < 32 ? check_taps_by<2>(rules, row) : check_taps_by<4>(rules, row);
}

#endif

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1::detail {
HWY_EXPORT(check_taps);
bool taps_valid(int64_t target, const TapRules& rules, const TapRow& row) noexcept {
  return function_for(HWY_DISPATCH_TABLE(check_taps), target)(rules, row);
}
}  // namespace tidepool::inline v0_1::detail
#endif
