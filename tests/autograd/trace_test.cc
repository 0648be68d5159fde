// What CallTrace sees of the calls of a program.
#include "tidepool/trace.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <sstream>
#include <thread>

#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "slice dim=1 start=0 step=2: 2x3 -> 2x2"
std::string text_of(const Call& call) {
  std::ostringstream out;
  out << call.function;
  for (const CallOption& option : call.options) out << " " << option.name << "=" << to_string(Dims(option.values));
  out << ":";
  for (const Tensor& x : call.inputs) out << " " << (x.defined() ? to_string(x.shape()) : "none");
  out << " -> " << call.result.shape();
  return out.str();
}

template <class Program>
std::vector<std::string> calls_of(const Program& program) {
  std::vector<std::string> seen;
  const CallTrace trace([&](const Call& call) { seen.push_back(text_of(call)); });
  program();
  return seen;
}

Tensor leaf(const Dims& shape) { return randn(shape, 1).set_requires_grad(); }

TEST(Trace, SeesFunctionsWithTheirOptions) {
  const Tensor x = leaf({2, 3}), picture = leaf({1, 2, 6, 6});
  EXPECT_THAT(calls_of([&] { relu(x) + 1; }), ElementsAre("relu: 2x3 -> 2x3", "add: 2x3 -> 2x3"));
  EXPECT_THAT(calls_of([&] { x.slice(1, 0, 3, 2); }), ElementsAre("slice dim=1 start=0 step=2: 2x3 -> 2x2"));
  EXPECT_THAT(calls_of([&] { x.select(-1, -1); }), ElementsAre("select dim=1 index=2: 2x3 -> 2"));
  EXPECT_THAT(calls_of([&] { x.transpose(0, 1); }), ElementsAre("transpose dim0=0 dim1=1: 2x3 -> 3x2"));
  EXPECT_THAT(calls_of([&] { log_softmax(x, -1); }), ElementsAre("log_softmax dim=1: 2x3 -> 2x3"));
  EXPECT_THAT(calls_of([&] { max_pool2d(picture, {.kernel_size = {3, 2}, .stride = 2, .padding = Padding<2>({1, 0}, {0, 1})}); }),
              ElementsAre("max_pool2d kernel_size=3x2 stride=2x2 padding=1x0x0x1 dilation=1x1 input_size=6x6 output_size=3x3 rounding=0: "
                          "1x2x6x6 -> 1x2x3x3"));
}

TEST(Trace, SeesAFunctionOfOthersOnce) {
  const Tensor x = leaf({2, 3, 4});
  EXPECT_THAT(calls_of([&] { mean(x, {0, 2}); }), ElementsAre("mean dims=0x2 keepdim=0: 2x3x4 -> 3"));
  EXPECT_THAT(calls_of([&] { flatten(x.transpose(0, 1)); }),
              ElementsAre("transpose dim0=0 dim1=1: 2x3x4 -> 3x2x4", "flatten dims=1x2: 3x2x4 -> 3x8"));
  EXPECT_THAT(calls_of([&] { reshape(x.transpose(0, 1), {24}); }).back(), "reshape: 3x2x4 -> 24");
}

TEST(Trace, SeesWhatIsRecordedAlone) {
  const Tensor x = leaf({2, 2}), constant = randn({2, 2}, 2);
  EXPECT_THAT(calls_of([&] { relu(constant); }), IsEmpty());
  EXPECT_THAT(calls_of([&] {
                const NoGrad no_grad;
                relu(x);
              }),
              IsEmpty());
  const Tensor y = sum(x * x);
  EXPECT_THAT(calls_of([&] { y.backward(); }), IsEmpty());
}

TEST(Trace, EveryResultHasAStateOfItsOwn) {
  const Tensor x = leaf({2, 3});
  std::vector<Tensor> seen{x};
  const CallTrace trace([&](const Call& call) { seen.push_back(call.result); });
  const Tensor y = x.reshape({2, 3}), z = concat({y}, 0), w = flatten(z);
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[3].grad_state(), w.grad_state());
  for (size_t i = 0; i < seen.size(); ++i)
    for (size_t j = 0; j < i; ++j) EXPECT_NE(seen[i].grad_state(), seen[j].grad_state());
  sum(w).backward();
  EXPECT_TRUE(equal(x.grad(), ones({2, 3})));
}

TEST(Trace, EndsWithItsScope) {
  const Tensor x = leaf({2});
  std::vector<std::string> outer, inner;
  {
    const CallTrace first([&](const Call& call) { outer.push_back(call.function); });
    relu(x);
    {
      const CallTrace second([&](const Call& call) { inner.push_back(call.function); });
      tanh(x);
      std::thread([&] { exp(x); }).join();  // a trace belongs to its thread
    }
    sigmoid(x);
    EXPECT_THROW(reshape(x, {3}), Error);
    neg(x);
  }
  gelu(x);
  EXPECT_THAT(outer, ElementsAre("relu", "sigmoid", "neg"));
  EXPECT_THAT(inner, ElementsAre("tanh"));
}

// An observer is called on its own thread alone, so it needs no lock.
TEST(Trace, DoesNotFollowExecutorsToOtherThreads) {
  const Tensor x = leaf({2});
  const auto own = std::this_thread::get_id();
  std::atomic<int> foreign = 0;
  const CallTrace trace([&](const Call&) { foreign += std::this_thread::get_id() == own ? 0 : 1; });
  const auto part = [&](int64_t, int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // so that several threads get parts
    relu(x);
  };
  const std::unique_ptr<Executor> executor = make_executor(4);
  for (int i = 0; i < 10; ++i) executor->parallel_for(64, 1, part);
  EXPECT_EQ(foreign, 0);
}

TEST(Trace, DoesNotSeeWhatItsObserverCalls) {
  const Tensor x = leaf({2});
  int calls = 0;
  const CallTrace trace([&](const Call& call) {
    ++calls;
    relu(call.result);
  });
  relu(x);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace tidepool
