#include <dlfcn.h>
#include <gtest/gtest.h>

#include "tidepool/nn.h"

namespace tidepool::nn {
namespace {

// oneDNN's own threads are as many as ours.
TEST(NnThreads, FollowSetNumThreads) {
  using Get = int (*)();
  const Tensor x = randn({4, 16, 32, 32}, 1), w = randn({16, 16, 3, 3}, 2);
  const int before = num_threads();
  std::vector<Tensor> results;
  for (int threads : {1, 2, 1}) {
    set_num_threads(threads);
    results.push_back(conv2d(x, w, {}, {.padding = 1}));
    const auto get = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "omp_get_max_threads"));
    if (get != nullptr) {
      EXPECT_EQ(get(), threads);
    }
  }
  set_num_threads(before);
  EXPECT_EQ(to_string(results[0]), to_string(results[2]));
  EXPECT_LT(sum(mul(results[0] - results[1], results[0] - results[1])).item(), 1e-6);
}

TEST(NnThreads, SmallProblemsStayOnOne) {
  using Get = int (*)();
  conv2d(randn({1, 1, 4, 4}, 1), randn({1, 1, 3, 3}, 2));
  if (const auto get = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "omp_get_max_threads"))) {
    EXPECT_EQ(get(), 1);
  }
}

}  // namespace
}  // namespace tidepool::nn
