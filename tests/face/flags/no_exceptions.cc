// Compiled with -fno-exceptions: valid calls work, functions that return a Result report errors, and other errors end the program.
#include <tidepool/tidepool.h>

#include <cstdio>
#include <exception>
namespace tp = tidepool;

#if defined(__cpp_exceptions)
#error "this program must be compiled with -fno-exceptions"
#endif

int main() {
  const auto x = tp::tensor({{{1, 3, 2, 1}, {4, 2, 1, 0}, {5, 6, 1, 2}, {7, 8, 3, 4}}});
  std::printf("%s\n", tp::to_string(tp::max_pool2d(x, 2)).c_str());

  const auto problem = tp::parse_problem("max2d fwd f32 nchw 1x1x4x4 k2 s-1");
  std::printf("%s\n", problem.ok() ? "accepted" : problem.error().what());
  std::fflush(stdout);

  std::set_terminate([] {
    std::puts("terminated");
    std::fflush(stdout);
    std::_Exit(3);
  });
  tp::max_pool2d(x, 2, -1);
  std::puts("went on");
}
