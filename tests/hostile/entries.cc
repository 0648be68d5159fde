#include "hostile/entries.h"

#include "tidepool/tidepool.h"

namespace tidepool::test {
namespace {

using Slots = std::vector<Slot>;
using Knobs_ = std::vector<Knob>;

const Slot x{"input", Role::plane}, gg{"gg", Role::plane}, grad{"grad", Role::pooled}, indices{"indices", Role::indices},
    saved{"x", Role::plane}, pooled{"input", Role::pooled}, samples{"samples", Role::samples}, out{"out", Role::pooled, true},
    indices_out{"indices", Role::indices, true}, grad_input{"grad_input", Role::plane, true};
// Unpooling goes the other way: from pooled cells to a plane.
const Slot unpooled{"out", Role::plane, true}, unpooled_grad{"grad", Role::plane}, pooled_grad{"grad_input", Role::pooled, true},
    pooled_gg{"gg", Role::pooled};

Slot sizing(Slot s) {
  s.sets_size = true;
  return s;
}

template <class Options>
void set_windows(Options& o, const Knobs& k) {
  static_cast<Sizes&>(o.kernel_size) = k.kernel;
  static_cast<Sizes&>(o.stride) = k.stride;
  static_cast<Sizes&>(o.dilation) = k.dilation;
  static_cast<Pads&>(o.padding) = k.padding;
  o.preset = k.preset;
}

template <int N>
MaxPoolOptions<N> max_options(const Knobs& k) {
  MaxPoolOptions<N> o;
  set_windows(o, k);
  o.ceil_mode = k.ceil, o.nan = k.nan, o.index_base = k.base;
  return o;
}
template <int N>
AvgPoolOptions<N> avg_options(const Knobs& k) {
  AvgPoolOptions<N> o;
  set_windows(o, k);
  o.ceil_mode = k.ceil, o.divisor_override = k.divisor, o.rounding = k.rounding;
  return o;
}
template <int N>
SumPoolOptions<N> sum_options(const Knobs& k) {
  SumPoolOptions<N> o;
  set_windows(o, k);
  o.ceil_mode = k.ceil;
  return o;
}
template <int N>
LpPoolOptions<N> lp_options(const Knobs& k) {
  LpPoolOptions<N> o;
  set_windows(o, k);
  o.ceil_mode = k.ceil, o.norm_type = k.norm;
  return o;
}
template <int N>
MaxUnpoolOptions<N> unpool_options(const Knobs& k) {
  MaxUnpoolOptions<N> o;
  set_windows(o, k);
  o.index_base = k.base, o.output_size = k.unpool_size;
  return o;
}
template <int N>
FractionalMaxPoolOptions<N> fractional_options(const Knobs& k, std::optional<TensorSpan> given = std::nullopt) {
  FractionalMaxPoolOptions<N> o;
  static_cast<Sizes&>(o.kernel_size) = k.kernel;
  static_cast<Sizes&>(o.output_size) = k.ratio.is_set() ? Sizes{} : k.output;
  static_cast<Ratios&>(o.output_ratio) = k.ratio;
  if (given) o.samples = Tensor(nullptr, *given);
  o.nan = k.nan, o.index_base = k.base;
  return o;
}
template <int N>
AdaptiveMaxPoolOptions<N> adaptive_options(const Knobs& k) {
  return {.nan = k.nan, .index_base = k.base};
}
template <int N>
Extent<N> size(const Knobs& k) {
  Extent<N> e;
  static_cast<Sizes&>(e) = k.output;
  return e;
}

// TIDEPOOL_ENTRY(name, slots, knobs, takes_shape, expression over `a`, the arguments)
#define TIDEPOOL_ENTRY(fn, slots_, knobs_, shape_, expression) \
  all->push_back({#fn, N, slots_, knobs_, shape_, [](const Arguments& a) { (void)a, expression; }})

template <int N>
struct RankTag {};

#define TIDEPOOL_MAX(fn, N_)                                                                                                       \
  TIDEPOOL_ENTRY(fn, Slots({x}), w, false, fn(a[0], max_options<N>(a.knobs)));                                                     \
  TIDEPOOL_ENTRY(fn##_with_indices, Slots({x}), w, false, fn##_with_indices(a[0], max_options<N>(a.knobs)));                       \
  TIDEPOOL_ENTRY(fn##_into, Slots({out, x}), w, false, fn##_into(a[0], a[1], max_options<N>(a.knobs)));                            \
  TIDEPOOL_ENTRY(fn##_with_indices_into, Slots({out, indices_out, x}), w, false,                                                   \
                 fn##_with_indices_into(a[0], a[1], a[2], max_options<N>(a.knobs)));                                               \
  TIDEPOOL_ENTRY(fn##_backward, Slots({grad, indices}), w, true, fn##_backward(a[0], a[1], a.shape, max_options<N>(a.knobs)));     \
  TIDEPOOL_ENTRY(fn##_backward_into, Slots({grad_input, grad, indices}), w, false,                                                 \
                 fn##_backward_into(a[0], a[1], a[2], max_options<N>(a.knobs)));                                                   \
  TIDEPOOL_ENTRY(fn##_double_backward, Slots({gg, indices}), w, false, fn##_double_backward(a[0], a[1], max_options<N>(a.knobs))); \
  TIDEPOOL_ENTRY(fn##_double_backward_into, Slots({out, gg, indices}), w, false,                                                   \
                 fn##_double_backward_into(a[0], a[1], a[2], max_options<N>(a.knobs)));                                            \
  TIDEPOOL_ENTRY(fn##_shape, Slots({}), w, true, fn##_shape(a.shape, max_options<N>(a.knobs)))

#define TIDEPOOL_LINEAR(fn, options, w)                                                                                              \
  TIDEPOOL_ENTRY(fn, Slots({x}), w, false, fn(a[0], options<N>(a.knobs)));                                                           \
  TIDEPOOL_ENTRY(fn##_into, Slots({out, x}), w, false, fn##_into(a[0], a[1], options<N>(a.knobs)));                                  \
  TIDEPOOL_ENTRY(fn##_backward, Slots({grad}), w, true, fn##_backward(a[0], a.shape, options<N>(a.knobs)));                          \
  TIDEPOOL_ENTRY(fn##_backward_into, Slots({grad_input, grad}), w, false, fn##_backward_into(a[0], a[1], options<N>(a.knobs)));      \
  TIDEPOOL_ENTRY(fn##_double_backward, Slots({gg}), w, false, fn##_double_backward(a[0], options<N>(a.knobs)));                      \
  TIDEPOOL_ENTRY(fn##_double_backward_into, Slots({out, gg}), w, false, fn##_double_backward_into(a[0], a[1], options<N>(a.knobs))); \
  TIDEPOOL_ENTRY(fn##_shape, Slots({}), w, true, fn##_shape(a.shape, options<N>(a.knobs)))

#define TIDEPOOL_RANK(R)                                                                                                                   \
  void add(std::vector<Entry>* all, RankTag<R>) {                                                                                          \
    constexpr int N = R;                                                                                                                   \
    const Knobs_ w{Knob::windows, Knob::ceil, Knob::base, Knob::nan};                                                                      \
    TIDEPOOL_MAX(max_pool##R##d, R);                                                                                                       \
    TIDEPOOL_MAX(min_pool##R##d, R);                                                                                                       \
    const Knobs_ average{Knob::windows, Knob::ceil, Knob::divisor}, sum{Knob::windows, Knob::ceil};                                        \
    TIDEPOOL_LINEAR(avg_pool##R##d, avg_options, average);                                                                                 \
    TIDEPOOL_LINEAR(sum_pool##R##d, sum_options, sum);                                                                                     \
    const Knobs_ none, bins{Knob::adaptive}, max_bins{Knob::adaptive, Knob::base, Knob::nan}, max_sized{Knob::base, Knob::nan};            \
    TIDEPOOL_ENTRY(adaptive_avg_pool##R##d, Slots({x}), bins, false, adaptive_avg_pool##R##d(a[0], size<N>(a.knobs)));                     \
    TIDEPOOL_ENTRY(adaptive_avg_pool##R##d_into, Slots({sizing(out), x}), none, false, adaptive_avg_pool##R##d_into(a[0], a[1]));          \
    TIDEPOOL_ENTRY(adaptive_avg_pool##R##d_backward, Slots({sizing(grad)}), none, true, adaptive_avg_pool##R##d_backward(a[0], a.shape));  \
    TIDEPOOL_ENTRY(adaptive_avg_pool##R##d_backward_into, Slots({grad_input, sizing(grad)}), none, false,                                  \
                   adaptive_avg_pool##R##d_backward_into(a[0], a[1]));                                                                     \
    TIDEPOOL_ENTRY(adaptive_avg_pool##R##d_double_backward, Slots({gg}), bins, false,                                                      \
                   adaptive_avg_pool##R##d_double_backward(a[0], size<N>(a.knobs)));                                                       \
    TIDEPOOL_ENTRY(adaptive_max_pool##R##d, Slots({x}), max_bins, false,                                                                   \
                   adaptive_max_pool##R##d(a[0], size<N>(a.knobs), adaptive_options<N>(a.knobs)));                                         \
    TIDEPOOL_ENTRY(adaptive_max_pool##R##d_with_indices, Slots({x}), max_bins, false,                                                      \
                   adaptive_max_pool##R##d_with_indices(a[0], size<N>(a.knobs), adaptive_options<N>(a.knobs)));                            \
    TIDEPOOL_ENTRY(adaptive_max_pool##R##d_into, Slots({sizing(out), x}), max_sized, false,                                                \
                   adaptive_max_pool##R##d_into(a[0], a[1], adaptive_options<N>(a.knobs)));                                                \
    TIDEPOOL_ENTRY(adaptive_max_pool##R##d_backward, Slots({grad, indices}), max_sized, true,                                              \
                   adaptive_max_pool##R##d_backward(a[0], a[1], a.shape, adaptive_options<N>(a.knobs)));                                   \
    TIDEPOOL_ENTRY(adaptive_max_pool##R##d_double_backward, Slots({gg, sizing(indices)}), max_sized, false,                                \
                   adaptive_max_pool##R##d_double_backward(a[0], a[1], adaptive_options<N>(a.knobs)));                                     \
    TIDEPOOL_ENTRY(global_avg_pool##R##d, Slots({x}), none, false, global_avg_pool##R##d(a[0]));                                           \
    TIDEPOOL_ENTRY(global_sum_pool##R##d, Slots({x}), none, false, global_sum_pool##R##d(a[0]));                                           \
    TIDEPOOL_ENTRY(global_max_pool##R##d, Slots({x}), none, false, global_max_pool##R##d(a[0]));                                           \
    TIDEPOOL_ENTRY(global_avg_pool##R##d_double_backward, Slots({gg}), none, false, global_avg_pool##R##d_double_backward(a[0]));          \
    TIDEPOOL_ENTRY(global_sum_pool##R##d_double_backward, Slots({gg}), none, false, global_sum_pool##R##d_double_backward(a[0]));          \
    TIDEPOOL_ENTRY(global_max_pool##R##d_with_indices, Slots({x}), none, false, global_max_pool##R##d_with_indices(a[0]));                 \
    const Knobs_ norm{Knob::windows, Knob::ceil, Knob::norm}, p{Knob::norm};                                                               \
    TIDEPOOL_ENTRY(lp_pool##R##d, Slots({x}), norm, false, lp_pool##R##d(a[0], lp_options<N>(a.knobs)));                                   \
    TIDEPOOL_ENTRY(lp_pool##R##d_into, Slots({out, x}), norm, false, lp_pool##R##d_into(a[0], a[1], lp_options<N>(a.knobs)));              \
    TIDEPOOL_ENTRY(lp_pool##R##d_backward, Slots({grad, saved}), norm, false, lp_pool##R##d_backward(a[0], a[1], lp_options<N>(a.knobs))); \
    TIDEPOOL_ENTRY(lp_pool##R##d_backward_into, Slots({grad_input, grad, saved}), norm, false,                                             \
                   lp_pool##R##d_backward_into(a[0], a[1], a[2], lp_options<N>(a.knobs)));                                                 \
    TIDEPOOL_ENTRY(lp_pool##R##d_double_backward, Slots({gg, saved}), norm, false,                                                         \
                   lp_pool##R##d_double_backward(a[0], a[1], lp_options<N>(a.knobs)));                                                     \
    TIDEPOOL_ENTRY(lp_pool##R##d_double_backward_input, Slots({gg, grad, saved}), norm, false,                                             \
                   lp_pool##R##d_double_backward_input(a[0], a[1], a[2], lp_options<N>(a.knobs)));                                         \
    TIDEPOOL_ENTRY(lp_pool##R##d_shape, Slots({}), norm, true, lp_pool##R##d_shape(a.shape, lp_options<N>(a.knobs)));                      \
    TIDEPOOL_ENTRY(global_lp_pool##R##d, Slots({x}), p, false, global_lp_pool##R##d(a[0], a.knobs.norm));                                  \
    const Knobs_ undo{Knob::windows, Knob::base, Knob::unpool};                                                                            \
    TIDEPOOL_ENTRY(max_unpool##R##d, Slots({pooled, indices}), undo, false, max_unpool##R##d(a[0], a[1], unpool_options<N>(a.knobs)));     \
    TIDEPOOL_ENTRY(max_unpool##R##d_into, Slots({unpooled, pooled, indices}), undo, false,                                                 \
                   max_unpool##R##d_into(a[0], a[1], a[2], unpool_options<N>(a.knobs)));                                                   \
    TIDEPOOL_ENTRY(max_unpool##R##d_backward, Slots({unpooled_grad, indices}), undo, false,                                                \
                   max_unpool##R##d_backward(a[0], a[1], unpool_options<N>(a.knobs)));                                                     \
    TIDEPOOL_ENTRY(max_unpool##R##d_backward_into, Slots({pooled_grad, unpooled_grad, indices}), undo, false,                              \
                   max_unpool##R##d_backward_into(a[0], a[1], a[2], unpool_options<N>(a.knobs)));                                          \
    TIDEPOOL_ENTRY(max_unpool##R##d_double_backward, Slots({pooled_gg, indices}), undo, false,                                             \
                   max_unpool##R##d_double_backward(a[0], a[1], unpool_options<N>(a.knobs)));                                              \
  }
TIDEPOOL_RANK(1)
TIDEPOOL_RANK(2)
TIDEPOOL_RANK(3)

#define TIDEPOOL_FRACTIONAL(R)                                                                               \
  void add_fractional(std::vector<Entry>* all, RankTag<R>) {                                                 \
    constexpr int N = R;                                                                                     \
    const Knobs_ k{Knob::fractional, Knob::base, Knob::nan};                                                 \
    TIDEPOOL_ENTRY(fractional_max_pool##R##d, Slots({x, samples}), k, false,                                 \
                   fractional_max_pool##R##d(a[0], fractional_options<N>(a.knobs, a[1])));                   \
    TIDEPOOL_ENTRY(fractional_max_pool##R##d_with_indices, Slots({x}), k, false,                             \
                   fractional_max_pool##R##d_with_indices(a[0], fractional_options<N>(a.knobs)));            \
    TIDEPOOL_ENTRY(fractional_max_pool##R##d_into, Slots({out, x, samples}), k, false,                       \
                   fractional_max_pool##R##d_into(a[0], a[1], fractional_options<N>(a.knobs, a[2])));        \
    TIDEPOOL_ENTRY(fractional_max_pool##R##d_backward, Slots({grad, indices}), k, true,                      \
                   fractional_max_pool##R##d_backward(a[0], a[1], a.shape, fractional_options<N>(a.knobs))); \
    TIDEPOOL_ENTRY(fractional_max_pool##R##d_double_backward, Slots({gg, indices}), k, false,                \
                   fractional_max_pool##R##d_double_backward(a[0], a[1], fractional_options<N>(a.knobs)));   \
    TIDEPOOL_ENTRY(fractional_max_pool##R##d_shape, Slots({}), k, true,                                      \
                   fractional_max_pool##R##d_shape(a.shape, fractional_options<N>(a.knobs)));                \
  }
TIDEPOOL_FRACTIONAL(2)
TIDEPOOL_FRACTIONAL(3)

}  // namespace

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> list;
    add(&list, RankTag<1>());
    add(&list, RankTag<2>());
    add(&list, RankTag<3>());
    add_fractional(&list, RankTag<2>());
    add_fractional(&list, RankTag<3>());
    return list;
  }();
  return all;
}

}  // namespace tidepool::test
