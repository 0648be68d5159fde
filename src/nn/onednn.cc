#include "nn/onednn.h"

#include <dlfcn.h>

#include <algorithm>
#include <bit>
#include <dnnl.hpp>
#include <map>
#include <unordered_map>
#include <vector>

#include "tidepool/executor.h"

namespace tidepool::nn::onednn {
namespace {

using dnnl::memory;
using Key = std::vector<int64_t>;

const dnnl::engine& engine() {
  static const dnnl::engine e(dnnl::engine::kind::cpu, 0);
  return e;
}

// oneDNN has threads of its own, mostly OpenMP's, whose number is a setting of the calling thread. Looked up at run time: which OpenMP it
// is, and whether it is one, was decided when oneDNN was built.
void use_threads(int threads) {
  using Set = void (*)(int);
  static const Set set = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  if (set != nullptr) set(threads);
}

// Below this many cells, waking another thread costs more than it saves.
constexpr int64_t cells_worth_a_thread = 32768;

// Primitives are made for a number of threads, and must be run by as many.
thread_local int threads_now = 1;

void execute(const dnnl::primitive& primitive, const std::unordered_map<int, memory>& arguments) {
  thread_local dnnl::stream stream(engine());
  primitive.execute(stream, arguments);
  stream.wait();
}

// What interface 2 builds in two steps, a description and a primitive_desc, interface 3 builds in one with the same arguments.
#if DNNL_VERSION_MAJOR >= 3
template <class Primitive, class... Arguments>
auto describe(const Arguments&... arguments) {
  return typename Primitive::primitive_desc(engine(), arguments...);
}
template <class Primitive, class Hint, class... Arguments>
auto describe_with(const Hint& hint, const Arguments&... arguments) {
  return typename Primitive::primitive_desc(engine(), arguments..., hint);
}
#else
template <class Primitive, class... Arguments>
auto describe(const Arguments&... arguments) {
  return typename Primitive::primitive_desc(typename Primitive::desc(arguments...), engine());
}
template <class Primitive, class Hint, class... Arguments>
auto describe_with(const Hint& hint, const Arguments&... arguments) {
  return typename Primitive::primitive_desc(typename Primitive::desc(arguments...), engine(), hint);
}
#endif

memory::dims dims_of(const Dims& dims, int64_t less = 0) {
  memory::dims result;
  for (int64_t d : dims.span()) result.push_back(d - less);
  return result;
}

memory::desc desc_of(const TensorView& x) { return {dims_of(x.shape), memory::data_type::f32, dims_of(x.strides)}; }

// Weights with the groups as a dim of their own.
memory::desc weights_desc(const TensorView& w, int64_t groups) {
  if (groups == 1) return desc_of(w);
  memory::dims dims = dims_of(w.shape), strides = dims_of(w.strides);
  dims[0] /= groups;
  dims.insert(dims.begin(), groups);
  strides.insert(strides.begin(), strides[0] * dims[1]);
  return {dims, memory::data_type::f32, strides};
}

memory::desc any(const memory::desc& d) {
#if DNNL_VERSION_MAJOR >= 3
  return {d.get_dims(), memory::data_type::f32, memory::format_tag::any};
#else
  return {d.dims(), memory::data_type::f32, memory::format_tag::any};
#endif
}

// An array that channels last or few channels make fit for oneDNN stays as it is; another is copied into a blocked form, which costs less
// than convolving in a slow one.
memory::desc activation(const TensorView& x) {
  const memory::desc own = desc_of(x);
  return x.strides == channels_last_strides(x.shape) && x.size(1) > 1 ? own : any(own);
}

memory borrow(const memory::desc& desc, const std::byte* data) { return {desc, engine(), const_cast<std::byte*>(data)}; }

// The array in the form that a primitive wants: itself, or a copy.
memory as(const memory::desc& wanted, const memory::desc& own, const std::byte* data) {
  memory from = borrow(own, data);
  if (wanted == own) return from;
  memory to(wanted, engine());
  execute(dnnl::reorder(from, to), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  return to;
}

// The memory that a primitive writes in its form, and the way back into the array's own.
class Result {
 public:
  Result(const memory::desc& wanted, const memory::desc& own, std::byte* data)
      : own_(borrow(own, data)), work_(wanted == own ? own_ : memory(wanted, engine())), copied_(wanted != own) {}
  const memory& get() const { return work_; }
  void finish() {
    if (copied_) execute(dnnl::reorder(work_, own_), {{DNNL_ARG_FROM, work_}, {DNNL_ARG_TO, own_}});
  }

 private:
  memory own_, work_;
  bool copied_;
};

void append(Key& key, const Dims& dims) {
  key.push_back(dims.rank);
  key.insert(key.end(), dims.span().begin(), dims.span().end());
}

Key key_of(std::initializer_list<TensorView> arrays) {
  Key key;
  for (const TensorView& x : arrays) {
    append(key, x.shape);
    append(key, x.strides);
  }
  return key;
}

Key key_of(std::initializer_list<TensorView> arrays, const ConvParams& p, bool bias) {
  Key key = key_of(arrays);
  for (const Dims& dims : {p.stride, p.dilation, p.before, p.after}) append(key, dims);
  key.push_back(p.groups);
  key.push_back(bias ? 1 : 0);
  return key;
}

// A program meets few shapes; one that meets many forgets them all now and then.
constexpr size_t most_primitives = 1024;

template <class Description, class Primitive>
struct Ready {
  Description description;
  Primitive primitive;
};

template <class Primitive, class Make>
const auto& cached(Key key, const Make& make) {
  using Entry = Ready<decltype(make()), Primitive>;
  thread_local std::map<Key, Entry> entries;
  key.push_back(threads_now);
  if (const auto it = entries.find(key); it != entries.end()) return it->second;
  if (entries.size() >= most_primitives) entries.clear();
  auto description = make();
  Primitive primitive(description);
  return entries.emplace(key, Entry{std::move(description), std::move(primitive)}).first->second;
}

constexpr auto direct = dnnl::algorithm::convolution_direct;

// The forward problem, which the backward ones are described from.
auto describe_forward(const TensorView& y, const TensorView& x, const TensorView& w, const TensorView* bias, const ConvParams& p) {
  const memory::dims stride = dims_of(p.stride), dilation = dims_of(p.dilation, 1), before = dims_of(p.before), after = dims_of(p.after);
  const auto training = dnnl::prop_kind::forward_training;
  const memory::desc weights = any(weights_desc(w, p.groups));
  if (bias != nullptr)
    return describe<dnnl::convolution_forward>(training, direct, activation(x), weights, desc_of(*bias), activation(y), stride, dilation,
                                               before, after);
  return describe<dnnl::convolution_forward>(training, direct, activation(x), weights, activation(y), stride, dilation, before, after);
}

// `cells`: of the largest array.
template <class Call>
void run(const char* op, int64_t cells, const Call& call) {
  threads_now = cells < cells_worth_a_thread ? 1 : num_threads();
  use_threads(threads_now);
  try {
    call();
  } catch (const dnnl::error& e) {
    const bool memory_short = e.status == dnnl_out_of_memory;
    throw Error(memory_short ? ErrorCode::out_of_memory : ErrorCode::unsupported,
                std::string(op) + ": oneDNN must take the problem, got: " + e.what());
  }
}

}  // namespace

void conv_forward(TensorSpan y, TensorView x, TensorView w, const TensorView* bias, const ConvParams& p) {
  run("conv", std::max(x.numel(), y.numel()), [&] {
    const auto& ready =
        cached<dnnl::convolution_forward>(key_of({y, x, w}, p, bias != nullptr), [&] { return describe_forward(y, x, w, bias, p); });
    const auto& d = ready.description;
    Result out(d.dst_desc(), desc_of(y), y.data);
    std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, as(d.src_desc(), desc_of(x), x.data)},
                                              {DNNL_ARG_WEIGHTS, as(d.weights_desc(), weights_desc(w, p.groups), w.data)},
                                              {DNNL_ARG_DST, out.get()}};
    if (bias != nullptr) arguments.emplace(DNNL_ARG_BIAS, borrow(desc_of(*bias), bias->data));
    execute(ready.primitive, arguments);
    out.finish();
  });
}

void conv_backward_data(TensorSpan gx, TensorView gy, TensorView w, const ConvParams& p) {
  run("conv", std::max(gx.numel(), gy.numel()), [&] {
    const auto& ready = cached<dnnl::convolution_backward_data>(key_of({gx, gy, w}, p, false), [&] {
      return describe_with<dnnl::convolution_backward_data>(describe_forward(gy, gx, w, nullptr, p), direct, activation(gx),
                                                            any(weights_desc(w, p.groups)), activation(gy), dims_of(p.stride),
                                                            dims_of(p.dilation, 1), dims_of(p.before), dims_of(p.after));
    });
    const auto& d = ready.description;
    Result out(d.diff_src_desc(), desc_of(gx), gx.data);
    execute(ready.primitive, {{DNNL_ARG_DIFF_DST, as(d.diff_dst_desc(), desc_of(gy), gy.data)},
                              {DNNL_ARG_WEIGHTS, as(d.weights_desc(), weights_desc(w, p.groups), w.data)},
                              {DNNL_ARG_DIFF_SRC, out.get()}});
    out.finish();
  });
}

void conv_backward_weights(TensorSpan gw, TensorView x, TensorView gy, const ConvParams& p) {
  run("conv", std::max(x.numel(), gy.numel()), [&] {
    const auto& ready = cached<dnnl::convolution_backward_weights>(key_of({gw, x, gy}, p, false), [&] {
      return describe_with<dnnl::convolution_backward_weights>(describe_forward(gy, x, gw, nullptr, p), direct, activation(x),
                                                               any(weights_desc(gw, p.groups)), activation(gy), dims_of(p.stride),
                                                               dims_of(p.dilation, 1), dims_of(p.before), dims_of(p.after));
    });
    const auto& d = ready.description;
    Result out(d.diff_weights_desc(), weights_desc(gw, p.groups), gw.data);
    execute(ready.primitive, {{DNNL_ARG_SRC, as(d.src_desc(), desc_of(x), x.data)},
                              {DNNL_ARG_DIFF_DST, as(d.diff_dst_desc(), desc_of(gy), gy.data)},
                              {DNNL_ARG_DIFF_WEIGHTS, out.get()}});
    out.finish();
  });
}

void matmul(TensorSpan c, TensorView a, TensorView b, const TensorView* bias) {
  run("matmul", std::max({a.numel(), b.numel(), c.numel()}), [&] {
    Key key = key_of({c, a, b});
    key.push_back(bias != nullptr ? 1 : 0);
    memory::desc row;
    if (bias != nullptr) row = {{1, bias->numel()}, memory::data_type::f32, memory::dims{bias->numel(), 1}};
    const auto& ready = cached<dnnl::matmul>(key, [&] {
      if (bias != nullptr) return describe<dnnl::matmul>(desc_of(a), desc_of(b), row, desc_of(c));
      return describe<dnnl::matmul>(desc_of(a), desc_of(b), desc_of(c));
    });
    std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, borrow(desc_of(a), a.data)},
                                              {DNNL_ARG_WEIGHTS, borrow(desc_of(b), b.data)},
                                              {DNNL_ARG_DST, borrow(desc_of(c), c.data)}};
    if (bias != nullptr) arguments.emplace(DNNL_ARG_BIAS, borrow(row, bias->data));
    execute(ready.primitive, arguments);
  });
}

namespace {

const auto scale_and_shift = dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift;

auto describe_batch_norm(const memory::desc& x, dnnl::prop_kind kind, float eps, dnnl::normalization_flags flags) {
#if DNNL_VERSION_MAJOR >= 3
  return describe<dnnl::batch_normalization_forward>(kind, x, x, eps, flags);
#else
  return describe<dnnl::batch_normalization_forward>(kind, x, eps, flags);
#endif
}

void batch_norm_run(TensorSpan y, const BatchNormArrays& t, double eps, bool train) {
  run("batch_norm", y.numel(), [&] {
    Key key = key_of({y, t.x});
    key.push_back(train ? 1 : 0);
    key.push_back(std::bit_cast<int64_t>(eps));
    const auto kind = train ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
    const auto flags = train ? scale_and_shift : scale_and_shift | dnnl::normalization_flags::use_global_stats;
    const memory::desc x = desc_of(t.x);
    const auto& ready =
        cached<dnnl::batch_normalization_forward>(key, [&] { return describe_batch_norm(x, kind, static_cast<float>(eps), flags); });
    execute(ready.primitive, {{DNNL_ARG_SRC, borrow(x, t.x.data)},
                              {DNNL_ARG_DST, borrow(x, y.data)},
                              {DNNL_ARG_MEAN, borrow(desc_of(t.mean), t.mean.data)},
                              {DNNL_ARG_VARIANCE, borrow(desc_of(t.variance), t.variance.data)},
                              {DNNL_ARG_SCALE, borrow(desc_of(t.weight), t.weight.data)},
                              {DNNL_ARG_SHIFT, borrow(desc_of(t.bias), t.bias.data)}});
  });
}

}  // namespace

void batch_norm_train(TensorSpan y, const BatchNormArrays& arrays, double eps) { batch_norm_run(y, arrays, eps, true); }
void batch_norm_infer(TensorSpan y, const BatchNormArrays& arrays, double eps) { batch_norm_run(y, arrays, eps, false); }

void batch_norm_backward(TensorSpan gx, TensorSpan gweight, TensorSpan gbias, TensorView gy, const BatchNormArrays& t, double eps) {
  run("batch_norm", gx.numel(), [&] {
    Key key = key_of({gx, t.x, gy});
    key.push_back(std::bit_cast<int64_t>(eps));
    const memory::desc x = desc_of(t.x);
    const auto& ready = cached<dnnl::batch_normalization_backward>(key, [&] {
      const float e = static_cast<float>(eps);
      const auto forward = describe_batch_norm(x, dnnl::prop_kind::forward_training, e, scale_and_shift);
#if DNNL_VERSION_MAJOR >= 3
      return describe_with<dnnl::batch_normalization_backward>(forward, dnnl::prop_kind::backward, x, x, x, e, scale_and_shift);
#else
      return describe_with<dnnl::batch_normalization_backward>(forward, dnnl::prop_kind::backward, x, x, e, scale_and_shift);
#endif
    });
    execute(ready.primitive, {{DNNL_ARG_SRC, borrow(x, t.x.data)},
                              {DNNL_ARG_DIFF_DST, borrow(x, gy.data)},
                              {DNNL_ARG_DIFF_SRC, borrow(x, gx.data)},
                              {DNNL_ARG_MEAN, borrow(desc_of(t.mean), t.mean.data)},
                              {DNNL_ARG_VARIANCE, borrow(desc_of(t.variance), t.variance.data)},
                              {DNNL_ARG_SCALE, borrow(desc_of(t.weight), t.weight.data)},
                              {DNNL_ARG_SHIFT, borrow(desc_of(t.bias), t.bias.data)},  // counted by interface 2, never read
                              {DNNL_ARG_DIFF_SCALE, borrow(desc_of(gweight), gweight.data)},
                              {DNNL_ARG_DIFF_SHIFT, borrow(desc_of(gbias), gbias.data)}});
  });
}

}  // namespace tidepool::nn::onednn
