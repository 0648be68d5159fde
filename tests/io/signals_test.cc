// Signals that interrupt the reading of files.
#include "support/compare.h"
#include "support/in_folder.h"
#include "support/signal_storm.h"
#include "tidepool/creation.h"
#include "tidepool/functional.h"
#include "tidepool/io/atomic_file.h"
#include "tidepool/io/npy.h"

namespace tidepool::io {
namespace {

class Signals : public test::InFolder {};

TEST_F(Signals, InterruptReadingWithoutEffect) {
  const Tensor x = randn({64, 1024}, 1);
  {
    AtomicFile file(path("x.npy"));
    write_npy(file, x);
    file.commit();
  }
  const test::SignalStorm storm;
  while (storm.interrupted() < 200) ASSERT_TRUE(equal(read_npy(path("x.npy")), x));
}

}  // namespace
}  // namespace tidepool::io
