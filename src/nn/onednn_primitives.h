// The parts of oneDNN calls that convolution, matrix product and batch normalisation share: memory descriptions, layout conversions, the
// cache of primitives, and errors. Compiles against the versions 2 and 3 of oneDNN's interface.
#pragma once

#include <dnnl.hpp>
#include <initializer_list>
#include <map>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/thread_object.h"
#include "nn/onednn.h"
#include "tidepool/executor.h"

namespace tidepool::inline v0_1::nn::onednn {

using dnnl::memory;

const dnnl::engine& engine();
void execute(const dnnl::primitive& primitive, const std::unordered_map<int, memory>& arguments);

// Version 2 creates a description and a primitive_desc in two steps. Version 3 does it in one, with the same arguments.
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

memory::dims dims_of(const Dims& dims, int64_t less = 0);  // each size minus `less`
memory::desc desc_of(const TensorView& x);
// Lets oneDNN choose the memory layout.
memory::desc any_layout(const memory::desc& desc);

memory borrow(const memory::desc& desc, const std::byte* data);

// The array in the layout that a primitive needs: the array itself, or a copy.
memory in_layout(const memory::desc& wanted, const memory::desc& own, const std::byte* data);

// The output of a primitive. If the primitive writes in another layout than the array has, finish() copies it into the array.
class Output {
 public:
  Output(const memory::desc& wanted, const memory::desc& own, std::byte* data)
      : own_(borrow(own, data)), work_(wanted == own ? own_ : memory(wanted, engine())), copied_(wanted != own) {}
  const memory& get() const { return work_; }
  void finish() {
    if (copied_) execute(dnnl::reorder(work_, own_), {{DNNL_ARG_FROM, work_}, {DNNL_ARG_TO, own_}});
  }

 private:
  memory own_, work_;
  bool copied_;
};

// Identifies a primitive in the cache: shapes, strides and parameters.
using Key = std::vector<int64_t>;
void append(Key& key, const Dims& dims);
Key key_of(std::initializer_list<TensorView> arrays);

// Threads for the current call, set by run(). A primitive is created for a number of threads and must run with the same number.
int current_threads();
void choose_threads(int64_t elements);

template <class Description, class Primitive>
struct CachedPrimitive {
  Description description;
  Primitive primitive;
};

// Most programs use few shapes. When the cache of a thread is full, it is emptied.
constexpr size_t max_primitives = 1024;

// The type Make tells the primitives of the functions apart.
template <class Primitive, class Make>
struct PrimitiveCache {
  std::map<Key, CachedPrimitive<std::invoke_result_t<const Make&>, Primitive>> entries;
};

// The primitive for `key`, created by make() at the first call on this thread, or at every call while the thread ends. Copies share it.
template <class Primitive, class Make>
auto cached(Key key, const Make& make) -> CachedPrimitive<std::invoke_result_t<const Make&>, Primitive> {
  auto* const cache = detail::thread_object<PrimitiveCache<Primitive, Make>>();
  key.push_back(current_threads());
  if (cache != nullptr)
    if (const auto it = cache->entries.find(key); it != cache->entries.end()) return it->second;
  auto description = make();
  Primitive primitive(description);
  CachedPrimitive<std::invoke_result_t<const Make&>, Primitive> made{std::move(description), std::move(primitive)};
  if (cache != nullptr) {
    if (cache->entries.size() >= max_primitives) cache->entries.clear();
    cache->entries.emplace(std::move(key), made);
  }
  return made;
}

// Calls `call` with the number of threads that fits arrays of up to `elements` elements, and turns oneDNN's errors into Error.
template <class Call>
void run(const char* op, int64_t elements, const Call& call) {
  choose_threads(elements);
  try {
    call();
  } catch (const dnnl::error& e) {
    const bool memory_short = e.status == dnnl_out_of_memory;
    throw Error(memory_short ? ErrorCode::out_of_memory : ErrorCode::unsupported,
                std::string(op) + ": oneDNN must take the problem, got: " + e.what());
  }
}

}  // namespace tidepool::inline v0_1::nn::onednn
