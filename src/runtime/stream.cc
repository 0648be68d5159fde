// The memory bandwidth limit for pooling: reads the input and writes the output, with almost no arithmetic.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/stream.cc"
#include "hwy/foreach_target.h"
// after foreach_target.h
#include "hwy/highway.h"
#include "tidepool/runtime.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Alternates between reading a block of input and writing the corresponding part of the output, as pooling does.
uint8_t stream(const uint8_t* in, int64_t in_bytes, uint8_t* out, int64_t out_bytes) {
  const hn::ScalableTag<uint8_t> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  constexpr int64_t block = 4096;
  auto a = hn::Zero(d), b = a, c = a, e = a;
  int64_t read = 0, written = 0;
  while (read < in_bytes || written < out_bytes) {
    const int64_t stop = HWY_MIN(read + block, in_bytes);
    for (; read + 4 * lanes <= stop; read += 4 * lanes) {
      a = hn::Max(a, hn::LoadU(d, in + read));
      b = hn::Max(b, hn::LoadU(d, in + read + lanes));
      c = hn::Max(c, hn::LoadU(d, in + read + 2 * lanes));
      e = hn::Max(e, hn::LoadU(d, in + read + 3 * lanes));
    }
    for (; read + lanes <= stop; read += lanes) a = hn::Max(a, hn::LoadU(d, in + read));
    for (; read < stop; ++read) a = hn::Max(a, hn::Set(d, in[read]));
    const int64_t share =
        in_bytes == 0 || read == in_bytes
            ? out_bytes
            : static_cast<int64_t>(static_cast<double>(out_bytes) * static_cast<double>(read) / static_cast<double>(in_bytes));
    for (; written + lanes <= share; written += lanes) hn::StoreU(a, d, out + written);
    if (read == in_bytes)
      for (; written < out_bytes; ++written) out[written] = hn::GetLane(a);
  }
  uint8_t all[HWY_MAX_BYTES], most = 0;
  hn::StoreU(hn::Max(hn::Max(a, b), hn::Max(c, e)), d, all);
  for (int64_t i = 0; i < lanes; ++i) most = HWY_MAX(most, all[i]);
  return most;
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tidepool::inline v0_1 {
namespace detail {
HWY_EXPORT(stream);
uint8_t stream_bytes(const void* in, int64_t in_bytes, void* out, int64_t out_bytes) {
  return HWY_DYNAMIC_DISPATCH(stream)(static_cast<const uint8_t*>(in), in_bytes, static_cast<uint8_t*>(out), out_bytes);
}
}  // namespace detail

uint8_t stream_once(const void* in, int64_t in_bytes, void* out, int64_t out_bytes) noexcept {
  return detail::stream_bytes(in, in_bytes, out, out_bytes);
}
}  // namespace tidepool::inline v0_1
#endif
