// Backward passes on several threads: shared leaves, shared graphs, and what one thread does while another one adds a gradient.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "support/compare.h"
#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

// Runs f(0), f(1), … on `count` threads that start together, and joins them.
void on_threads(int count, const std::function<void(int)>& f) {
  std::atomic<int> waiting = count;
  std::vector<std::thread> threads;
  threads.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      f(i);
    });
  for (std::thread& thread : threads) thread.join();
}

constexpr int many = 8;

// 8 * 3,000 * 3 is below 2^24, so every sum is exact in f32, in any order.
TEST(AutogradThreads, EveryGradientArrivesAtASharedLeaf) {
  constexpr int calls = 3000;
  Tensor x = Tensor::from<float>({1, 2}, {1, 2}).set_requires_grad();
  on_threads(many, [&](int) {
    for (int i = 0; i < calls; ++i) sum(x * Tensor::from<float>({2}, {1, 3})).backward();
  });
  EXPECT_EQ(x.grad().item({0, 0}), many * calls);
  EXPECT_EQ(x.grad().item({0, 1}), 3 * many * calls);
}

// The sum takes longer than with two elements, and the default executor may split it.
TEST(AutogradThreads, EveryGradientArrivesAtALargeLeaf) {
  constexpr int calls = 20;
  Tensor x = zeros({70000}).set_requires_grad();
  on_threads(4, [&](int) {
    for (int i = 0; i < calls; ++i) sum(2.0 * x).backward();
  });
  EXPECT_TRUE(equal(x.grad(), full({70000}, 2 * 4 * calls)));
}

// Threads that add to several leaves, each in another order, while some leaves are new to them.
TEST(AutogradThreads, EveryGradientArrivesAtManySharedLeaves) {
  constexpr int calls = 300, count = 6;
  std::vector<Tensor> leaves;
  for (int i = 0; i < count; ++i) leaves.push_back(zeros({3}).set_requires_grad());
  on_threads(many, [&](int t) {
    for (int i = 0; i < calls; ++i) {
      Tensor y = sum(leaves[static_cast<size_t>(t % count)]);
      for (int k = 1; k < count; ++k) y = y + sum(leaves[static_cast<size_t>((t + k) % count)]);
      y.backward();
    }
  });
  for (const Tensor& x : leaves) EXPECT_TRUE(equal(x.grad(), full({3}, many * calls)));
}

TEST(AutogradThreads, ARetainedGraphIsWalkedByManyThreads) {
  constexpr int calls = 100;
  Tensor x = Tensor::from<float>({1, 1, 2, 4}, {1, 2, 3, 4, 8, 7, 6, 5}).set_requires_grad();
  const Tensor shared = exp(max_pool2d(x, 2) * 0.0);  // 1, with a rule that reads its own result
  const Tensor y = sum(shared * shared);
  on_threads(many, [&](int) {
    for (int i = 0; i < calls; ++i) y.backward(full({}, 1), /*retain_graph=*/true);
    for (int i = 0; i < calls; ++i) EXPECT_EQ(grad(y, {shared}, {.retain_graph = true})[0].item({0, 0, 0, 0}), 2);
  });
  EXPECT_TRUE(equal(x.grad(), zeros({1, 1, 2, 4})));
  on_threads(many, [&](int) {
    for (int i = 0; i < calls; ++i) sum(x * x).backward();
  });
  EXPECT_EQ(x.grad().item({0, 0, 1, 0}), 2 * 8 * many * calls);
}

// backward() frees the graph as it goes. Of several calls for one result exactly one gets through; the others are refused and add nothing.
TEST(AutogradThreads, OneOfManyBackwardsUsesUpAGraph) {
  for (int round = 0; round < 200; ++round) {
    Tensor x = Tensor::from<float>({2}, {3, 5}).set_requires_grad();
    const Tensor y = sum(x * x);
    std::atomic<int> passed = 0, refused = 0;
    on_threads(4, [&](int) {
      try {
        y.backward();
        ++passed;
      } catch (const Error& error) {
        EXPECT_NE(error.message().find("that an earlier backward freed"), std::string::npos) << error.message();
        ++refused;
      }
    });
    ASSERT_EQ(passed, 1);
    ASSERT_EQ(refused, 3);
    EXPECT_EQ(to_string(x.grad()), "[ 6. 10.]");
  }
}

// Two results share the middle of their graphs. Whoever is refused there has not added to any leaf.
TEST(AutogradThreads, ARefusedBackwardChangesNoLeaf) {
  int refused_ever = 0;
  for (int round = 0; round < 200; ++round) {
    Tensor x = Tensor::from<float>({1}, {3}).set_requires_grad(), own[2];
    for (Tensor& leaf : own) leaf = Tensor::from<float>({1}, {1}).set_requires_grad();
    const Tensor middle = x * x;
    const Tensor y[2] = {own[0] * middle, own[1] * middle};
    std::atomic<int> passed = 0, refused[2] = {0, 0};
    on_threads(2, [&](int i) {
      try {
        y[i].backward();
        ++passed;
      } catch (const Error&) {
        refused[i] = 1;
      }
    });
    ASSERT_EQ(passed, 1);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(own[i].grad().defined(), refused[i] == 0);
    EXPECT_EQ(x.grad().item(), 6);
    refused_ever += refused[0] + refused[1];
  }
  EXPECT_EQ(refused_ever, 200);
}

// A reader sees the sum of the gradients that have arrived, never a part of a sum, and what it has got does not change later.
TEST(AutogradThreads, GradIsWholeWhileOthersAdd) {
  Tensor x = zeros({64}).set_requires_grad();
  std::atomic<int> adding = 4;
  on_threads(6, [&](int i) {
    if (i < 4) {
      for (int k = 0; k < 500; ++k) sum(x).backward();
      --adding;
      return;
    }
    double last = 0;
    while (adding > 0) {
      const Tensor seen = x.grad();
      if (!seen.defined()) continue;
      const double first = seen.item({0});
      EXPECT_GE(first, last);
      for (int64_t k = 0; k < 64; ++k) ASSERT_EQ(seen.item({k}), first);
      last = first;
    }
  });
  EXPECT_TRUE(equal(x.grad(), full({64}, 2000)));
}

// zero_grad and set_grad act at one moment between two additions.
TEST(AutogradThreads, ZeroGradAndSetGradAreNotOverwritten) {
  for (int round = 0; round < 100; ++round) {
    Tensor x = zeros({2}).set_requires_grad();
    on_threads(4, [&](int i) {
      if (i == 0) return x.set_grad(full({2}, 1000));
      for (int k = 0; k < 10; ++k) sum(x).backward();
    });
    const double total = x.grad().item({0});
    EXPECT_GE(total, 1000);
    EXPECT_LE(total, 1030);
    on_threads(4, [&](int i) {
      if (i == 0) return x.zero_grad();
      for (int k = 0; k < 10; ++k) sum(x).backward();
    });
    EXPECT_LE(x.grad().defined() ? x.grad().item({0}) : 0, 30);
  }
}

TEST(AutogradThreads, RequiresGradIsReadWhileItIsSet) {
  Tensor x = zeros({2}).set_requires_grad();
  on_threads(4, [&](int i) {
    Tensor own = x;
    for (int k = 0; k < 500; ++k) {
      if (i == 0) {
        own.set_requires_grad(k % 2 == 0);
      } else {
        const Tensor y = own * 2.0;
        if (y.requires_grad()) sum(y).backward();
      }
    }
  });
  x.set_requires_grad(true);
  EXPECT_TRUE(x.requires_grad());
}

TEST(AutogradThreads, NoGradIsASettingOfItsThread) {
  Tensor x = zeros({2}).set_requires_grad();
  on_threads(4, [&](int i) {
    for (int k = 0; k < 200; ++k) {
      if (i % 2 == 0) {
        const NoGrad no_grad;
        EXPECT_FALSE((x * 2.0).requires_grad());
      } else {
        EXPECT_TRUE((x * 2.0).requires_grad());
      }
    }
  });
}

// With create_graph the gradients are recorded, and so are their sums.
TEST(AutogradThreads, RecordedGradientsAddUpToo) {
  Tensor x = Tensor::from<float>({1}, {2}).set_requires_grad();
  on_threads(4, [&](int) {
    for (int k = 0; k < 50; ++k) (x * x).backward(full({1}, 1), false, /*create_graph=*/true);
  });
  EXPECT_EQ(x.grad().item(), 4 * 50 * 4);
  EXPECT_EQ(grad(x.grad(), {x})[0].item(), 4 * 50 * 2);
  x.zero_grad();  // the gradient depends on x: a cycle
}

// The order of arrival decides the bits of a float sum. Gradients that are computed per thread and added in a fixed order have fixed bits.
TEST(AutogradThreads, GradientsPerThreadHaveFixedBits) {
  const Tensor x = rand({100}, 1).set_requires_grad();
  const auto total = [&] {
    std::vector<Tensor> part(4);
    on_threads(4, [&](int i) { part[static_cast<size_t>(i)] = grad(sum(pow(x, i + 1.5)), {x})[0]; });
    for (size_t i = 1; i < 4; ++i) part[0] += part[i];
    return part[0];
  };
  const Tensor first = total();
  for (int round = 0; round < 20; ++round) EXPECT_TRUE(test::same_bits(first, total()));
}

}  // namespace
}  // namespace tidepool
