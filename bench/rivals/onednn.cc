// Runs oneDNN 2.6 on the arrays of a case: forward, forward with the workspace that training needs, and backward, in both layouts.
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
    case DType::i8:
      return memory::data_type::s8;
    case DType::u8:
      return memory::data_type::u8;
    default:
      throw Cannot("oneDNN 2.6 pools f32, bf16, s8 and u8 on CPUs, not " + std::string(dtype_name(dtype)));
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

// A template over the two versions of the pooling primitive. Only the second supports dilation.
template <class Forward, class Backward>
class OneDnn : public Job {
 public:
  OneDnn(Case& c, const Setting& s) : stream_(s.engine) {
    const Problem& p = c.problem();
    const bool backward = p.pass == Pass::backward;
    const auto kind = backward || p.indices ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
    const typename Forward::primitive_desc forward(forward_desc(s, kind), s.engine);
    const auto wrap = [&](const memory::desc& desc, const void* data) { return memory(desc, s.engine, const_cast<void*>(data)); };
    if (kind == dnnl::prop_kind::forward_training && p.op == Op::max)
      arrays_.insert({DNNL_ARG_WORKSPACE, memory(forward.workspace_desc(), s.engine)});
    if (!backward) {
      arrays_.insert({DNNL_ARG_SRC, wrap(s.source, c.data.arrays.input.data)});
      arrays_.insert({DNNL_ARG_DST, wrap(s.result, c.data.arrays.output.data)});
      primitive_ = Forward(forward);
      return;
    }
    if (p.op == Op::max) {  // fills the workspace
      auto training = arrays_;
      training.insert({DNNL_ARG_SRC, wrap(s.source, c.pooled_input.template data<std::byte>())});
      training.insert({DNNL_ARG_DST, memory(s.result, s.engine)});
      Forward(forward).execute(stream_, training);
      stream_.wait();
    }
    const typename Backward::primitive_desc backward_desc_(backward_desc(s), s.engine, forward);
    arrays_.insert({DNNL_ARG_DIFF_DST, wrap(s.result, c.data.arrays.input.data)});
    arrays_.insert({DNNL_ARG_DIFF_SRC, wrap(s.source, c.data.arrays.output.data)});
    primitive_ = Backward(backward_desc_);
  }

  void run() override {
    primitive_.execute(stream_, arrays_);
    stream_.wait();
  }

 private:
  static constexpr bool v2 = std::is_same_v<Forward, dnnl::pooling_v2_forward>;

  static typename Forward::desc forward_desc(const Setting& s, dnnl::prop_kind kind) {
    if constexpr (v2) {
      return {kind, s.algorithm, s.source, s.result, s.stride, s.kernel, s.dilation, s.pad_before, s.pad_after};
    } else {
      return {kind, s.algorithm, s.source, s.result, s.stride, s.kernel, s.pad_before, s.pad_after};
    }
  }

  static typename Backward::desc backward_desc(const Setting& s) {
    if constexpr (v2) {
      return {s.algorithm, s.source, s.result, s.stride, s.kernel, s.dilation, s.pad_before, s.pad_after};
    } else {
      return {s.algorithm, s.source, s.result, s.stride, s.kernel, s.pad_before, s.pad_after};
    }
  }

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
    if (s.dilated) return std::make_unique<OneDnn<dnnl::pooling_v2_forward, dnnl::pooling_v2_backward>>(c, s);
    return std::make_unique<OneDnn<dnnl::pooling_forward, dnnl::pooling_backward>>(c, s);
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
