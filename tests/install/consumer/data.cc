#include <tidepool/data/image_set.h>
#include <tidepool/io/npy.h>

#include <cstdio>

int main() {
  const auto set = tidepool::data::make_glyphs(3, 1);
  tidepool::io::AtomicFile file("glyphs.npy");
  tidepool::io::write_npy(file, set.images);
  file.commit();
  std::printf("%s\n", tidepool::to_string(tidepool::io::read_npy("glyphs.npy").shape()).c_str());
}
