#include "nn/onednn_primitives.h"

#include "core/portable.h"
#include "nn/fork.h"

namespace tidepool::inline v0_1::nn::onednn {
namespace {

using detail::find_symbol;

// Below this many elements, starting another thread costs more than it saves.
constexpr int64_t min_elements_for_threads = 32768;

thread_local int threads = 1;

// oneDNN usually runs on OpenMP's threads, whose number is a setting of the calling thread. The function is looked up at run time, because
// only the build of oneDNN decides whether it uses OpenMP, and which implementation.
void set_omp_threads(int count) {
  using Set = void (*)(int);
  static const Set set = reinterpret_cast<Set>(find_symbol("omp_set_num_threads"));
  if (set != nullptr) set(count);
}

// One per thread, and while the thread ends one per call.
struct Stream {
  dnnl::stream stream{engine()};
};

}  // namespace

int current_threads() { return threads; }

void choose_threads(int64_t elements) {
  threads = elements < min_elements_for_threads || lost_its_threads() ? 1 : num_threads();
  set_omp_threads(threads);
}

// Never destroyed, because static destructors may still compute.
const dnnl::engine& engine() {
  static const auto* const e = new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return *e;
}

void execute(const dnnl::primitive& primitive, const std::unordered_map<int, memory>& arguments) {
  auto* const kept = detail::thread_object<Stream>();
  dnnl::stream stream = kept != nullptr ? kept->stream : Stream().stream;
  primitive.execute(stream, arguments);
  stream.wait();
}

memory::dims dims_of(const Dims& dims, int64_t less) {
  memory::dims result;
  for (int64_t d : dims.span()) result.push_back(d - less);
  return result;
}

memory::desc desc_of(const TensorView& x) { return {dims_of(x.shape), memory::data_type::f32, dims_of(x.strides)}; }

memory::desc any_layout(const memory::desc& d) {
#if DNNL_VERSION_MAJOR >= 3
  return {d.get_dims(), memory::data_type::f32, memory::format_tag::any};
#else
  return {d.dims(), memory::data_type::f32, memory::format_tag::any};
#endif
}

memory borrow(const memory::desc& desc, const std::byte* data) { return {desc, engine(), const_cast<std::byte*>(data)}; }

memory in_layout(const memory::desc& wanted, const memory::desc& own, const std::byte* data) {
  memory from = borrow(own, data);
  if (wanted == own) return from;
  memory to(wanted, engine());
  execute(dnnl::reorder(from, to), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  return to;
}

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

}  // namespace tidepool::inline v0_1::nn::onednn
