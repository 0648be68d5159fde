// Vectors as members of classes and elements of arrays. Included once per target, inside foreach_target.
//
// SVE's vector types have no size that the compiler knows, so they can only be local variables. Kernels are compiled for SVE of 256 bits
// alone (see src/CMakeLists.txt); for that length GCC and Clang have types of a known size, which convert to and from the others without
// an instruction. On all other targets a held vector is the vector itself.
#if defined(TIDEPOOL_HELD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDEPOOL_HELD_INL_H_
#undef TIDEPOOL_HELD_INL_H_
#else
#define TIDEPOOL_HELD_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tidepool::inline v0_1::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SVE_256

template <class V>
struct SizedOf;
#define TIDEPOOL_X(vector)                                                                                                         \
  template <>                                                                                                                      \
  struct SizedOf<vector> {                                                                                                         \
    typedef vector type __attribute__((arm_sve_vector_bits(256))); /* NOLINT(modernize-use-using): GCC ignores it after `using` */ \
  };
TIDEPOOL_X(svint8_t)
TIDEPOOL_X(svint16_t)
TIDEPOOL_X(svint32_t)
TIDEPOOL_X(svint64_t)
TIDEPOOL_X(svuint8_t)
TIDEPOOL_X(svuint16_t)
TIDEPOOL_X(svuint32_t)
TIDEPOOL_X(svuint64_t)
TIDEPOOL_X(svfloat32_t)
TIDEPOOL_X(svfloat64_t)
#undef TIDEPOOL_X

template <class D>
class Held {
 public:
  Held() = default;
  HWY_INLINE Held(hn::Vec<D> v) : v_(v) {}  // NOLINT(google-explicit-constructor)
  HWY_INLINE operator hn::Vec<D>() const { return v_; }

 private:
  typename SizedOf<hn::Vec<D>>::type v_;
};

#else

template <class D>
using Held = hn::Vec<D>;

#endif

// The vector itself, for functions that deduce its type.
template <class D>
HWY_INLINE hn::Vec<D> vector_of(D, const Held<D>& held) {
  return held;
}

}  // namespace tidepool::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
