// How every function of the module runs: arrays in, the work without the interpreter's lock, arrays of the same kind out.
#pragma once

#include "array.h"
#include "read_options.h"

namespace tidepool::python {

// Runs f while other Python threads may run too, unless the array is so small that handing over the lock takes longer than the work.
template <class F>
auto unlocked(const Array& like, const F& f) {
  constexpr int64_t small = 16384;
  if (like.span().numel() <= small) return f();
  const nb::gil_scoped_release release;
  return f();
}

// The result of `fresh`, or what `into` writes into the caller's `out`.
template <class Fresh, class Into>
nb::object deliver(const char* function, const Array& like, nb::handle out, const Fresh& fresh, const Into& into) {
  if (out.is_none()) return like.same_kind(unlocked(like, fresh));
  const Array target(function, "out", out, Access::write);
  unlocked(like, [&] { into(target.span()); });
  return target.object();
}

// For functions that only make new tensors: `out` gets a copy.
template <class Fresh>
nb::object deliver(const char* function, const Array& like, nb::handle out, const Fresh& fresh) {
  return deliver(function, like, out, fresh, [&](TensorSpan target) { copy(fresh(), target); });
}

// Values and indices; `out` is then a pair of arrays, or None.
template <class Fresh>
nb::object deliver_pair(const char* function, const Array& like, nb::handle out, const Fresh& fresh) {
  if (out.is_none()) {
    Pooled pooled = unlocked(like, fresh);
    return nb::make_tuple(like.same_kind(std::move(pooled.values)), like.same_kind(std::move(pooled.indices)));
  }
  if (!PyTuple_Check(out.ptr()) || NB_TUPLE_GET_SIZE(out.ptr()) != 2)
    throw nb::type_error((std::string(function) + ": out must be a pair of arrays when indices are returned").c_str());
  const Array values(function, "out", nb::handle(NB_TUPLE_GET_ITEM(out.ptr(), 0)), Access::write);
  const Array indices(function, "indices", nb::handle(NB_TUPLE_GET_ITEM(out.ptr(), 1)), Access::write);
  unlocked(like, [&] {
    const Pooled pooled = fresh();
    copy(pooled.values, values.span());
    copy(pooled.indices, indices.span());
  });
  return nb::borrow(out);
}

// Calls f with the number of spatial dims as a constant.
template <class F>
auto with_rank(int rank, const F& f) {
  switch (rank) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    default:
      throw nb::type_error("rank must be 1, 2 or 3");
  }
}

void define_max_pool(nb::module_& m);
void define_avg_pool(nb::module_& m);
void define_lp_pool(nb::module_& m);
void define_adaptive_pool(nb::module_& m);
void define_fractional_max_pool(nb::module_& m);
void define_global_pool(nb::module_& m);
void define_max_unpool(nb::module_& m);
void define_torch_kernel(nb::module_& m);
void define_analyze(nb::module_& m);

}  // namespace tidepool::python
