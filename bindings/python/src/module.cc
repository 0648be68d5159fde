// The extension module behind the Python package: functions take everything by position; names and defaults live in Python.
#include <nanobind/nanobind.h>

#include "call.h"

namespace {

namespace nb = nanobind;
using namespace tidepool::python;

template <class Options>
nb::tuple option_names() {
  nb::list names;
  Options o;
  Options::visit(o, [&](const char* name, const auto&, const char*) { names.append(name); });
  return nb::tuple(names);
}

}  // namespace

NB_MODULE(_core, m) {
  auto error = nb::exception<tidepool::Error>(m, "Error", PyExc_ValueError);
  error.attr("__module__") = "tidepool";
  error.attr("__doc__") = "A request that breaks a rule. The text names function, rule, value and place.";

  define_max_pool(m);
  define_avg_pool(m);
  define_lp_pool(m);
  define_adaptive_pool(m);
  define_fractional_max_pool(m);
  define_global_pool(m);
  define_max_unpool(m);
  define_torch_kernel(m);
  define_analyze(m);

  // What the tuples of options must hold: the Python side is tested against it.
  nb::dict names;
  names["max_pool"] = option_names<tidepool::MaxPoolOptions<2>>();
  names["avg_pool"] = option_names<tidepool::AvgPoolOptions<2>>();
  names["sum_pool"] = option_names<tidepool::SumPoolOptions<2>>();
  names["lp_pool"] = option_names<tidepool::LpPoolOptions<2>>();
  names["fractional_max_pool"] = option_names<tidepool::FractionalMaxPoolOptions<2>>();
  names["max_unpool"] = option_names<tidepool::MaxUnpoolOptions<2>>();
  m.attr("option_names") = names;

  m.def("set_num_threads", [](int threads) { tidepool::set_num_threads(threads); });
  m.def("num_threads", [] { return tidepool::num_threads(); });
  const tidepool::Version v = tidepool::version();
  m.attr("__version__") = std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch);
}
