// Runs XNNPACK of February 2022 on the arrays of a case: channels last, forward; max and average of f32, max of 8-bit integers.
#include "job.h"

#ifdef TIDEPOOL_BENCH_XNNPACK
#include <xnnpack.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace tidepool::bench {

namespace {

void expect(xnn_status status, const char* what) {
  if (status != xnn_status_success) throw Cannot(std::string("XNNPACK cannot ") + what + " (status " + std::to_string(status) + ")");
}

class Xnnpack : public Job {
 public:
  explicit Xnnpack(Case& c) : c_(c), g_(c.problem().geometry), windows_(regular_windows(g_)) {
    const Problem& p = c.problem();
    if (p.layout != Layout::channels_last) throw Cannot("XNNPACK pools channels-last arrays alone");
    if (p.pass != Pass::forward) throw Cannot("XNNPACK has no backward pass");
    if (g_.rank() != 2 || !g_.batched()) throw Cannot("XNNPACK pools two dimensions");
    if (!windows_) throw Cannot("XNNPACK has no such windows");
    expect(xnn_initialize(nullptr), "start");
    if (c.threads > 1) pool_.reset(pthreadpool_create(static_cast<size_t>(c.threads)));
    make(p);
  }

  void run() override { xnn_run_operator(operator_.get(), pool_.get()); }

 private:
  void make(const Problem& p) {
    const bool whole_plane = g_.height().is_adaptive() && g_.height().output() == 1 && g_.width().output() == 1;
    if (p.op == Op::avg && p.dtype == DType::f32) {
      if (whole_plane) return global_average();
      return average(p);
    }
    if (p.op != Op::max) throw Cannot("XNNPACK pools maxima, and averages of f32");
    if (p.indices) return maximum_with_indices(p);
    const float infinity = std::numeric_limits<float>::infinity();
    switch (p.dtype) {
      case DType::f32:
        return maximum<float>(xnn_create_max_pooling2d_nhwc_f32, xnn_setup_max_pooling2d_nhwc_f32, -infinity, infinity);
      case DType::u8:
        return maximum<uint8_t>(xnn_create_max_pooling2d_nhwc_u8, xnn_setup_max_pooling2d_nhwc_u8, 0, UINT8_MAX);
      case DType::i8:
        return maximum<int8_t>(xnn_create_max_pooling2d_nhwc_s8, xnn_setup_max_pooling2d_nhwc_s8, INT8_MIN, INT8_MAX);
      default:
        throw Cannot("XNNPACK pools f32, u8 and s8 on this machine, not " + std::string(dtype_name(p.dtype)));
    }
  }

  template <class T, class Create, class Setup>
  void maximum(Create create, Setup setup, T least, T most) {
    const auto& w = *windows_;
    const auto of = [](const std::array<int64_t, 3>& all, size_t axis) { return static_cast<uint32_t>(all[axis]); };
    xnn_operator_t made = nullptr;
    expect(create(of(w.pad_before, 1), of(w.pad_after, 2), of(w.pad_after, 1), of(w.pad_before, 2), of(w.kernel, 1), of(w.kernel, 2),
                  of(w.stride, 1), of(w.stride, 2), of(w.dilation, 1), of(w.dilation, 2), channels(), channels(), channels(), least, most,
                  0, &made),
           "make this max pooling");
    operator_.reset(made);
    expect(setup(made, batch(), height(), width(), input<T>(), output<T>(), pool_.get()), "set up this max pooling");
  }

  // XNNPACK's indices are positions in the window, like idx=window, as 32-bit integers.
  void maximum_with_indices(const Problem& p) {
    const auto& w = *windows_;
    if (p.dtype != DType::f32 || *p.indices != IndexBase::window) throw Cannot("XNNPACK's indices are those of f32, inside the window");
    const bool tiles = w.stride == w.kernel && w.dilation == std::array<int64_t, 3>{1, 1, 1};
    if (!tiles) throw Cannot("XNNPACK has indices for windows that do not overlap");
    const auto of = [](const std::array<int64_t, 3>& all, size_t axis) { return static_cast<uint32_t>(all[axis]); };
    indices_.resize(static_cast<size_t>(g_.output_numel()));
    xnn_operator_t made = nullptr;
    expect(xnn_create_argmax_pooling2d_nhwc_f32(of(w.pad_before, 1), of(w.pad_after, 2), of(w.pad_after, 1), of(w.pad_before, 2),
                                                of(w.kernel, 1), of(w.kernel, 2), channels(), channels(), channels(), 0, &made),
           "make this max pooling with indices");
    operator_.reset(made);
    expect(xnn_setup_argmax_pooling2d_nhwc_f32(made, batch(), height(), width(), input<float>(), output<float>(), indices_.data(),
                                               pool_.get()),
           "set up this max pooling with indices");
  }

  void average(const Problem& p) {
    const auto& w = *windows_;
    for (size_t axis = 1; axis < 3; ++axis) {
      if (w.dilation[axis] != 1) throw Cannot("XNNPACK averages have no dilation");
      if ((w.pad_before[axis] != 0 || w.pad_after[axis] != 0) && p.reduction.divisor != Divisor::valid_only)
        throw Cannot("XNNPACK divides by the real cells of a window, this average by the padded ones");
    }
    const auto of = [](const std::array<int64_t, 3>& all, size_t axis) { return static_cast<uint32_t>(all[axis]); };
    xnn_operator_t made = nullptr;
    expect(xnn_create_average_pooling2d_nhwc_f32(of(w.pad_before, 1), of(w.pad_after, 2), of(w.pad_after, 1), of(w.pad_before, 2),
                                                 of(w.kernel, 1), of(w.kernel, 2), of(w.stride, 1), of(w.stride, 2), channels(), channels(),
                                                 channels(), -INFINITY, INFINITY, 0, &made),
           "make this average pooling");
    operator_.reset(made);
    expect(xnn_setup_average_pooling2d_nhwc_f32(made, batch(), height(), width(), input<float>(), output<float>(), pool_.get()),
           "set up this average pooling");
  }

  void global_average() {
    xnn_operator_t made = nullptr;
    expect(xnn_create_global_average_pooling_nwc_f32(channels(), channels(), channels(), -INFINITY, INFINITY, 0, &made),
           "make this global average");
    operator_.reset(made);
    expect(xnn_setup_global_average_pooling_nwc_f32(made, batch(), height() * width(), input<float>(), output<float>(), pool_.get()),
           "set up this global average");
  }

  size_t batch() const { return static_cast<size_t>(g_.batch()); }
  size_t channels() const { return static_cast<size_t>(g_.channels()); }
  size_t height() const { return static_cast<size_t>(g_.height().input()); }
  size_t width() const { return static_cast<size_t>(g_.width().input()); }
  // XNNPACK can read up to XNN_EXTRA_BYTES past the end of an array. The arrays of a case are followed by 64 bytes of padding.
  template <class T>
  const T* input() const {
    return c_.data.arrays.input.data_as<T>();
  }
  template <class T>
  T* output() const {
    return c_.data.arrays.output.data_as<T>();
  }

  struct Free {
    void operator()(xnn_operator_t made) const { xnn_delete_operator(made); }
    void operator()(pthreadpool_t pool) const { pthreadpool_destroy(pool); }
  };

  Case& c_;
  const Geometry& g_;
  std::optional<RegularWindows> windows_;
  std::vector<uint32_t> indices_;
  std::unique_ptr<std::remove_pointer_t<pthreadpool_t>, Free> pool_;
  std::unique_ptr<std::remove_pointer_t<xnn_operator_t>, Free> operator_;
};

}  // namespace

std::unique_ptr<Job> make_xnnpack(Case& c) { return std::make_unique<Xnnpack>(c); }

// XNNPACK has no release numbers. This is the date of the version in Debian 12.
std::string xnnpack_version() { return TIDEPOOL_BENCH_XNNPACK; }

}  // namespace tidepool::bench

#else

namespace tidepool::bench {
std::unique_ptr<Job> make_xnnpack(Case&) { throw Cannot("built without XNNPACK"); }
std::string xnnpack_version() { return ""; }
}  // namespace tidepool::bench

#endif
