// One function object made of several, for std::visit.
#pragma once

namespace tidepool::inline v0_1::analyze {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace tidepool::inline v0_1::analyze
