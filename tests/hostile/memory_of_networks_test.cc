// Every allocation of building, training, saving and loading a network fails in turn. What oneDNN 2.6 does not survive is left out:
//
// - It loses memory when an allocation fails while it describes a primitive, so that leaks are not counted there.
// - It has a cache of primitives for the whole process. When an allocation of this cache fails, its lock stays locked, and every later
//   call waits forever. Each use here has run once before its allocations fail, so its primitives are in the cache.
// - An exception on one of OpenMP's threads ends the process. Here it runs on one thread.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <new>

#include "hostile/failing_new.h"
#include "hostile/whole_uses.h"
#include "support/in_folder.h"
#include "tidepool/nn.h"

// Called by LeakSanitizer, if it is there.
extern "C" const char* __lsan_default_suppressions() { return "leak:libdnnl"; }  // NOLINT(bugprone-reserved-identifier)

namespace tidepool::nn {
namespace {

Sequential small_network() { return {Conv2d(1, 4, 3), BatchNorm2d(4), ReLU(), MaxPool2d(2), Dropout(0.5), Flatten(), Linear(36, 2)}; }

void train(Module& net, Optimizer& optimizer) {
  optimizer.zero_grad();
  cross_entropy(net(randn({4, 1, 8, 8}, 1)), Tensor::from<int64_t>({4}, {0, 1, 0, 1})).backward();
  optimizer.step();
}

class HostileMemoryOfNetworks : public test::InFolder {
 protected:
  HostileMemoryOfNetworks() { set_num_threads(1); }
};

TEST_F(HostileMemoryOfNetworks, EveryAllocationMayFail) {
  const std::vector<test::Use> uses = {
      {"building", [] { (void)small_network().to_string(); }},
      {"training with SGD",
       [] {
         Sequential net = small_network();
         SGD optimizer(net.parameters(), {.lr = 0.1, .momentum = 0.9});
         train(net, optimizer);
       },
       true},
      {"training with Adam",
       [] {
         Sequential net = small_network();
         Adam optimizer(net.parameters(), {.lr = 0.1});
         train(net, optimizer);
         optimizer.load_state(optimizer.state());
       },
       true},
      {"inference",
       [] {
         Sequential net = small_network();
         const NoGrad no_grad;
         net.eval()(randn({4, 1, 8, 8}, 1));
       },
       true},
      {"channels last", [] { small_network()(randn({4, 1, 8, 8}, 1).clone(MemoryFormat::channels_last)); }, true},
      {"a second derivative",
       [] {
         Tensor x = randn({1, 2, 6, 6}, 1).set_requires_grad();
         const Tensor y = conv2d(x, ones({2, 2, 3, 3}));
         sum(grad(sum(y * y), {x}, {.create_graph = true})[0]).backward();
       },
       true},
      {"transposed convolution", [] { ConvTranspose2d(1, 2, 2, 2)(randn({1, 1, 4, 4}, 1)); }, true},
      {"saving and loading .safetensors",
       [this] {
         Sequential net = small_network();
         save_weights(path("w.safetensors"), net.state_dict());
         net.load_state_dict(load_weights(path("w.safetensors")));
       }},
      {"saving and loading .npz",
       [this] {
         Sequential net = small_network();
         save_weights(path("w.npz"), net.state_dict());
         net.load_state_dict(load_weights(path("w.npz")));
       }},
  };
  EXPECT_GT(test::fail_every_allocation(uses), 1000);
  EXPECT_EQ(files(), (std::set<std::string>{"w.safetensors", "w.npz"}));
}

TEST_F(HostileMemoryOfNetworks, AFailedBatchIsNotCounted) {
  std::string expected;
  bool failed = true;
  for (int64_t n = -1; failed || n == 0; ++n) {
    BatchNorm2d norm(2);
    const Tensor x = randn({2, 2, 3, 3}, 1);
    failed = !test::completes_with_failure(n, [&] { norm(x); });
    if (failed) {
      EXPECT_EQ(norm.num_batches_tracked.item(), 0) << "allocation " << n;
      EXPECT_EQ(to_string(norm.running_mean) + to_string(norm.running_var), "[0. 0.][1. 1.]") << "allocation " << n;
      norm(x);
    }
    const std::string got = to_string(norm.running_mean) + to_string(norm.running_var) + to_string(norm.num_batches_tracked);
    if (n < 0) expected = got;
    EXPECT_EQ(got, expected) << "allocation " << n;
  }
}

}  // namespace
}  // namespace tidepool::nn
