#include "fuzz/sequences.h"

#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "autograd/node.h"
#include "fuzz/sequence_calls.h"
#include "reference/reference.h"
#include "support/compare.h"
#include "support/tensors.h"

namespace tidepool::fuzz {
namespace {

constexpr int64_t most_elements = 4096;
constexpr size_t most_plans = 3;

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::cerr << "\n" << what << "\n";
  std::abort();
}

// Equal shapes and values, with equal signs of zero. All NaNs are equal: which operand's NaN a sum returns depends on the compiled loop.
bool same_values(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape() || a.dtype() != b.dtype()) return false;
  const std::vector<double> x = test::cells(a), y = test::cells(b);
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) && std::isnan(y[i])) continue;
    if (x[i] != y[i] || std::signbit(x[i]) != std::signbit(y[i])) return false;
  }
  return true;
}

// `writable` is false for tensors whose memory another running thread may use: a program must not change those.
struct Slot {
  Tensor tensor;
  bool writable = true;
};

// Gradients of all threads go into one leaf, and are counted.
struct Tally {
  Tensor leaf = zeros({2}).set_requires_grad();
  std::atomic<int> count = 0;
};

class Actor {
 public:
  Actor(ByteSource bytes, Tally& tally) : bytes_(bytes), tally_(tally) {}

  void run() {
    while (!bytes_.empty()) step();
  }

  // Reads every element once more, so that the sanitizers see memory that is gone. A gradient can refer to its own leaf; zero_grad() ends
  // that cycle.
  void finish() {
    for (const Slot& slot : slots_) (void)test::cells(slot.tensor);
    for (Tensor& state : grad_states_) state.zero_grad();
  }

 private:
  Slot& any_slot() { return slots_[static_cast<size_t>(bytes_.below(slots_.size()))]; }

  static void put(Slot& slot, Tensor tensor, bool writable) {
    if (tensor.numel() <= most_elements) slot = {std::move(tensor), writable};
  }

  void step() {
    std::optional<NoGrad> no_grad;
    const int call = bytes_.below(40);
    if (call >= 36) no_grad.emplace();
    try {
      Slot& a = any_slot();
      Slot& b = any_slot();
      run_call(call % 20, a, b, any_slot());
    } catch (const Error&) {  // a legal answer to any call
    }
  }

  void run_call(int call, Slot& a, Slot& b, Slot& to) {
    const bool writable = a.writable && b.writable;
    switch (call) {
      case 0:
      case 1:
        return put(to, create(bytes_), true);
      case 2:
        to = a;
        return;
      case 3:
        to.tensor = std::move(a.tensor);  // `to` may be `a`; otherwise `a` is used again after the move
        to.writable = a.writable;
        return;
      case 4:
        to = Slot();
        return;
      case 5:
      case 6:
        return put(to, view_of(bytes_, a.tensor), a.writable);
      case 7:
      case 8:
        return put(to, computed_twice("elementwise", a.tensor, b.tensor, elementwise), writable);
      case 9:
        return put(to, reduction(bytes_, a.tensor), a.writable);
      case 10:
      case 11:
        return put(to,
                   computed_twice("pooling", a.tensor, a.tensor,
                                  [this](ByteSource& bytes, const Tensor& x, const Tensor&) { return pool(bytes, x, indices_); }),
                   a.writable);
      case 12:
        return put(to, unpool(bytes_, a.tensor, bytes_.flag() ? indices_ : b.tensor), writable);
      case 13:
        if (a.writable) change(bytes_, a.tensor, b.tensor);
        return;
      case 14:
        a.tensor.set_requires_grad(bytes_.below(4) != 0);
        keep_grad_state(a.tensor);
        return;
      case 15:
        return differentiate(a, b, to);
      case 16:
        return use_gradient(a, b, to);
      case 17:
        return make_plan();
      case 18:
        return run_plan(a.tensor);
      default:
        return bytes_.flag() ? with_threads() : count_gradient();
    }
  }

  // f of the tensors, compared with f of contiguous copies of them.
  template <class F>
  Tensor computed_twice(const char* what, const Tensor& a, const Tensor& b, const F& f) {
    ByteSource again = bytes_;
    Tensor result = f(bytes_, a, b);
    const NoGrad no_grad;
    const Tensor expected = f(again, a.detach().clone(), b.defined() ? b.detach().clone() : b);
    require(same_values(expected, result),
            std::string(what) + " of a view differs from that of its copy: expected " + to_string(expected) + ", got " + to_string(result));
    return result;
  }

  void keep_grad_state(const Tensor& x) {
    Tensor state;
    state.set_grad_state(x.grad_state());
    grad_states_.push_back(std::move(state));
  }

  void differentiate(Slot& y, Slot& x, Slot& to) {
    const Tensor ones = full(y.tensor.shape(), 1, y.tensor.dtype());
    switch (bytes_.below(4)) {
      case 0:
        return sum(y.tensor).backward();
      case 1: {
        const bool retain = bytes_.flag();
        // Gradients that are recorded refer to this thread's tensors, which other threads could then read.
        return y.tensor.backward(ones, retain, bytes_.flag() && alone_);
      }
      case 2:
        return put(to, grad(y.tensor, {x.tensor}, {.gradient = ones, .retain_graph = bytes_.flag()})[0], y.writable && x.writable);
      default:
        return backward_adds_the_gradient(y.tensor, x.tensor, ones);
    }
  }

  void backward_adds_the_gradient(const Tensor& y, const Tensor& x, const Tensor& ones) {
    const Tensor before = x.grad().detach(), gradient = grad(y, {x}, {.gradient = ones, .retain_graph = true})[0];
    y.backward(ones, /*retain_graph=*/true);
    const bool is_leaf = !x.grad_state()->node;
    if (!alone_ || !is_leaf || !gradient.defined()) return;
    const Tensor expected = before.defined() ? add(before, gradient) : gradient;
    require(same_values(expected, x.grad()),
            "backward() has not added the gradient: expected " + to_string(expected) + ", got " + to_string(x.grad()));
  }

  void use_gradient(Slot& a, Slot& b, Slot& to) {
    switch (bytes_.below(3)) {
      case 0:
        return put(to, a.tensor.grad(), a.writable);
      case 1:
        return a.tensor.set_grad(b.tensor.defined() ? b.tensor.detach().clone() : b.tensor);
      default:
        return a.tensor.zero_grad();
    }
  }

  void make_plan() {
    switch (bytes_.below(4)) {
      case 0:
        if (!plans_.empty()) plans_.erase(plans_.begin());
        return;
      case 1:
        if (!plans_.empty()) plans_.front() = plans_.back();
        return;
      default:
        const Result<Problem> problem = parse_problem(problem_line(bytes_));
        if (!problem) return;
        const Result<Plan> plan = try_make_plan(*problem);
        if (plan && plans_.size() < most_plans) plans_.push_back(*plan);
    }
  }

  // Into memory of its own, from x if it fits and else from random numbers.
  void run_plan(const Tensor& x) {
    if (plans_.empty()) return;
    const Plan plan = plans_[static_cast<size_t>(bytes_.below(static_cast<int>(plans_.size())))];
    const Problem& problem = plan.problem();
    const MemoryFormat format = problem.layout == Layout::channels_last ? MemoryFormat::channels_last : MemoryFormat::contiguous;
    const Dims shape = source_shape(problem);
    const bool fits = x.defined() && x.shape() == shape && x.dtype() == problem.dtype;
    const Tensor input = fits ? x.detach() : rand(shape, bytes_.byte(), problem.dtype).clone(format);
    Tensor output(result_shape(problem), problem.dtype, format);
    plan.run(input.view(), output.span());
    const reference::Expected expected = reference::compute(problem, {.input = input.view()});
    const auto right = test::close_enough(expected.values, expected.tolerance, output);
    require(static_cast<bool>(right), std::string("plan ") + to_string(problem) + ": " + right.message());
  }

  void count_gradient() {
    sum(tally_.leaf).backward();
    ++tally_.count;
  }

  // Two more threads get copies of everything, and this one goes on beside them. What they made comes back.
  void with_threads() {
    if (!alone_) return;
    Actor second = worker(), third = worker();
    const ByteSource rest = std::exchange(bytes_, bytes_.split(static_cast<size_t>(bytes_.below(32))));
    set_alone(false);
    {
      std::thread one([&] { second.run(); }), two([&] { third.run(); });
      run();
      one.join();
      two.join();
    }
    bytes_ = rest;
    for (size_t i = 0; i < slots_.size(); i += 2) slots_[i] = std::move(second.slots_[i]);
    slots_.back() = third.slots_.front();
    for (Actor* other : {&second, &third})
      for (Tensor& state : other->grad_states_) grad_states_.push_back(std::move(state));
    set_alone(true);
  }

  Actor worker() {
    Actor actor(bytes_.split(static_cast<size_t>(bytes_.below(48))), tally_);
    actor.slots_ = slots_;
    actor.indices_ = indices_;
    actor.plans_ = plans_;
    actor.set_alone(false);
    return actor;
  }

  void set_alone(bool alone) {
    alone_ = alone;
    for (Slot& slot : slots_) slot.writable = alone;
  }

  ByteSource bytes_;
  Tally& tally_;
  std::array<Slot, 6> slots_;
  Tensor indices_;  // of the last max pooling that gave some
  std::vector<Plan> plans_;
  std::vector<Tensor> grad_states_;  // tensors without memory that share the gradients of leaves
  bool alone_ = true;
};

}  // namespace

void run_sequence(const uint8_t* data, size_t size) {
  Tally tally;
  Actor actor(ByteSource(data, size), tally);
  actor.run();
  actor.finish();
  const double counted = tally.leaf.grad().defined() ? tally.leaf.grad().item({1}) : 0;
  require(counted == tally.count,
          "gradients of threads are lost: expected " + std::to_string(tally.count) + ", got " + std::to_string(counted));
}

}  // namespace tidepool::fuzz
