// Every allocation of a backward pass fails in turn. Either all leaves have their gradients afterwards, or none was changed.
#include <gtest/gtest.h>

#include <new>
#include <optional>
#include <vector>

#include "hostile/failing_new.h"
#include "support/compare.h"
#include "tidepool/tidepool.h"

namespace tidepool::test {
namespace {

struct Leaves {
  std::vector<Tensor> all;
  explicit Leaves(const std::vector<bool>& with_gradient) {
    for (size_t i = 0; i < with_gradient.size(); ++i) {
      all.push_back(full({3}, static_cast<double>(i + 2)).set_requires_grad());
      if (with_gradient[i]) all.back().set_grad(full({3}, 100));
    }
  }
  // The gradient of leaf i is 2 * leaf, and that of a leaf that is broadcast is a view, which must be copied.
  Tensor loss() const {
    Tensor y = sum(all[0] * all[0]) + sum(all[0]);
    for (size_t i = 1; i < all.size(); ++i) y = y + sum(all[i] * all[i]) + sum(all[i]);
    return y;
  }
  std::vector<Tensor> gradients() const {
    std::vector<Tensor> result;
    for (const Tensor& x : all) result.push_back(x.grad());
    return result;
  }
};

bool same(const Tensor& a, const Tensor& b) { return a.defined() == b.defined() && (!a.defined() || equal(a, b)); }

TEST(HostileMemoryOfBackward, AllLeavesChangeOrNone) {
  set_num_threads(1);
  for (const bool create_graph : {false, true})
    for (const std::vector<bool>& with :
         {std::vector<bool>{true, true}, {false, false}, {true, false}, {false, true}, {true, true, true}}) {
      const Leaves expected(with);
      expected.loss().backward();
      int64_t failures = 0;
      for (int64_t n = 0;; ++n) {
        ASSERT_LT(n, 5000);
        Leaves leaves(with);
        const std::vector<Tensor> before = leaves.gradients();
        const Tensor loss = leaves.loss();
        const Tensor one = full({}, 1);
        const int64_t live = live_allocations();
        const bool ended = completes_with_failure(n, [&] { loss.backward(one, /*retain_graph=*/true, create_graph); });
        const std::vector<Tensor> after = leaves.gradients();
        if (!ended) {
          EXPECT_EQ(live_allocations(), live + 1) << "only the vector `after`, allocation " << n;
        }
        for (size_t i = 0; i < after.size(); ++i)
          ASSERT_TRUE(same(after[i], ended ? expected.all[i].grad() : before[i]))
              << "leaf " << i << " of " << after.size() << ", allocation " << n << ", create_graph " << create_graph;
        for (Tensor& x : leaves.all) x.zero_grad();  // with create_graph, the gradient depends on x: a cycle
        if (ended) break;
        ++failures;
      }
      EXPECT_GT(failures, 10);
    }
}

}  // namespace
}  // namespace tidepool::test
