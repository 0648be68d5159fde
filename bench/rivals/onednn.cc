// Runs oneDNN on the arrays of a case: forward, forward with the workspace that training needs, and backward, in both layouts. Of the
// package index or of Debian, versions 3 and 2.
#include "job.h"

#ifdef TIDEPOOL_BENCH_ONEDNN
#include <omp.h>

#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>
#include <vector>

namespace tidepool::bench {

namespace {

using dnnl::memory;

struct Setting {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::algorithm algorithm;
  memory::dims kernel, stride, dilation, pad_before, pad_after;
  memory::desc source, result;  // of the forward pass
  bool dilated = false;
};

memory::data_type type_of(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return memory::data_type::f32;
    case DType::bf16:
      return memory::data_type::bf16;
    case DType::f16:
      return memory::data_type::f16;
    case DType::i8:
      return memory::data_type::s8;
    case DType::u8:
      return memory::data_type::u8;
    default:
      throw Cannot("oneDNN pools f32, bf16, f16, s8 and u8 on CPUs, not " + std::string(dtype_name(dtype)));
  }
}

memory::desc desc_of(const Problem& p, const Dims& shape) {
  using Tag = memory::format_tag;
  static constexpr Tag tags[2][3] = {{Tag::ncw, Tag::nchw, Tag::ncdhw}, {Tag::nwc, Tag::nhwc, Tag::ndhwc}};
  const memory::dims dims(shape.span().begin(), shape.span().end());
  return {dims, type_of(p.dtype), tags[p.layout == Layout::channels_last ? 1 : 0][p.geometry.rank() - 1]};
}

dnnl::algorithm algorithm_of(const Problem& p, const RegularWindows& windows) {
  if (p.op == Op::max) return dnnl::algorithm::pooling_max;
  if (p.op != Op::avg) throw Cannot("oneDNN pools maxima and averages alone");
  if (p.reduction.divisor == Divisor::valid_only) return dnnl::algorithm::pooling_avg_exclude_padding;
  if (p.reduction.divisor != Divisor::window_in_padded || windows.overhang) throw Cannot("oneDNN divides windows at the edge otherwise");
  return dnnl::algorithm::pooling_avg_include_padding;
}

Setting setting_of(const Problem& p) {
  const Geometry& g = p.geometry;
  const auto windows = regular_windows(g);
  if (!windows) throw Cannot("oneDNN has no such windows");
  if (p.layout == Layout::strided || !g.batched()) throw Cannot("oneDNN takes dense arrays with a batch");
  Setting s{.algorithm = algorithm_of(p, *windows),
            .kernel = {},
            .stride = {},
            .dilation = {},
            .pad_before = {},
            .pad_after = {},
            .source = desc_of(p, g.input_shape()),
            .result = desc_of(p, g.output_shape())};
  for (auto i = static_cast<size_t>(3 - g.rank()); i < 3; ++i) {
    s.kernel.push_back(windows->kernel[i]);
    s.stride.push_back(windows->stride[i]);
    s.dilation.push_back(windows->dilation[i] - 1);  // oneDNN counts the elements between two taps
    s.pad_before.push_back(windows->pad_before[i]);
    s.pad_after.push_back(windows->pad_after[i]);
    s.dilated = s.dilated || windows->dilation[i] > 1;
  }
  return s;
}

#if DNNL_VERSION_MAJOR >= 3
struct Primitives {
  using Forward = dnnl::pooling_forward;
  using Backward = dnnl::pooling_backward;

  static Forward::primitive_desc forward(const Setting& s, dnnl::prop_kind kind) {
    return {s.engine, kind, s.algorithm, s.source, s.result, s.stride, s.kernel, s.dilation, s.pad_before, s.pad_after};
  }
  static Backward::primitive_desc backward(const Setting& s, const Forward::primitive_desc& forward) {
    return {s.engine, s.algorithm, s.source, s.result, s.stride, s.kernel, s.dilation, s.pad_before, s.pad_after, forward};
  }
};
using DilatedPrimitives = Primitives;
#else
struct Primitives {
  using Forward = dnnl::pooling_forward;
  using Backward = dnnl::pooling_backward;

  static Forward::primitive_desc forward(const Setting& s, dnnl::prop_kind kind) {
    return {{kind, s.algorithm, s.source, s.result, s.stride, s.kernel, s.pad_before, s.pad_after}, s.engine};
  }
  static Backward::primitive_desc backward(const Setting& s, const Forward::primitive_desc& forward) {
    return {{s.algorithm, s.source, s.result, s.stride, s.kernel, s.pad_before, s.pad_after}, s.engine, forward};
  }
};

struct DilatedPrimitives {
  using Forward = dnnl::pooling_v2_forward;
  using Backward = dnnl::pooling_v2_backward;

  static Forward::primitive_desc forward(const Setting& s, dnnl::prop_kind kind) {
    return {{kind, s.algorithm, s.source, s.result, s.stride, s.kernel, s.dilation, s.pad_before, s.pad_after}, s.engine};
  }
  static Backward::primitive_desc backward(const Setting& s, const Forward::primitive_desc& forward) {
    return {{s.algorithm, s.source, s.result, s.stride, s.kernel, s.dilation, s.pad_before, s.pad_after}, s.engine, forward};
  }
};
#endif

template <class Pooling>
class OneDnn : public Job {
 public:
  OneDnn(Case& c, const Setting& s) : stream_(s.engine) {
    const Problem& p = c.problem();
    const bool backward = p.pass == Pass::backward;
    const auto kind = backward || p.indices ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
    const auto forward = Pooling::forward(s, kind);
    const auto wrap = [&](const memory::desc& desc, const void* data) { return memory(desc, s.engine, const_cast<void*>(data)); };
    if (kind == dnnl::prop_kind::forward_training && p.op == Op::max)
      arrays_.insert({DNNL_ARG_WORKSPACE, memory(forward.workspace_desc(), s.engine)});
    if (!backward) {
      arrays_.insert({DNNL_ARG_SRC, wrap(s.source, c.data.arrays.input.data)});
      arrays_.insert({DNNL_ARG_DST, wrap(s.result, c.data.arrays.output.data)});
      primitive_ = typename Pooling::Forward(forward);
      return;
    }
    if (p.op == Op::max) {  // fills the workspace
      auto training = arrays_;
      training.insert({DNNL_ARG_SRC, wrap(s.source, c.pooled_input.template data<std::byte>())});
      training.insert({DNNL_ARG_DST, memory(s.result, s.engine)});
      typename Pooling::Forward(forward).execute(stream_, training);
      stream_.wait();
    }
    arrays_.insert({DNNL_ARG_DIFF_DST, wrap(s.result, c.data.arrays.input.data)});
    arrays_.insert({DNNL_ARG_DIFF_SRC, wrap(s.source, c.data.arrays.output.data)});
    primitive_ = typename Pooling::Backward(Pooling::backward(s, forward));
  }

  void run() override {
    primitive_.execute(stream_, arrays_);
    stream_.wait();
  }

 private:
  dnnl::stream stream_;
  dnnl::primitive primitive_;
  std::unordered_map<int, memory> arrays_;
};

}  // namespace

std::unique_ptr<Job> make_onednn(Case& c) {
  const Problem& p = c.problem();
  if (p.pass != Pass::forward && p.pass != Pass::backward) throw Cannot("oneDNN has no double backward");
  if (p.indices && p.pass == Pass::forward && *p.indices != IndexBase::window) throw Cannot("oneDNN's indices count inside the window");
  omp_set_num_threads(c.threads);
  try {
    const Setting s = setting_of(p);
    if (s.dilated) return std::make_unique<OneDnn<DilatedPrimitives>>(c, s);
    return std::make_unique<OneDnn<Primitives>>(c, s);
  } catch (const dnnl::error& e) {
    throw Cannot(std::string("oneDNN: ") + e.what());
  }
}

std::string onednn_version() {
  const dnnl_version_t* v = dnnl_version();
  return std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
}

}  // namespace tidepool::bench

#else

namespace tidepool::bench {
std::unique_ptr<Job> make_onednn(Case&) { throw Cannot("built without oneDNN"); }
std::string onednn_version() { return ""; }
}  // namespace tidepool::bench

#endif
