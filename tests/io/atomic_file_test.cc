#include "tidepool/io/atomic_file.h"

#include "support/in_folder.h"
#include "tidepool/io/io_error.h"

namespace tidepool::io {
namespace {

using test::slurp;
using test::spill;

class AtomicFiles : public test::InFolder {};

TEST_F(AtomicFiles, AppearOnCommitOnly) {
  {
    AtomicFile file(path("a"));
    file.write("hello", 5);
    EXPECT_FALSE(std::filesystem::exists(path("a")));
    EXPECT_EQ(files().size(), 1u);
    file.commit();
  }
  EXPECT_EQ(slurp(path("a")), "hello");
  EXPECT_EQ(files(), std::set<std::string>{"a"});
}

TEST_F(AtomicFiles, VanishWithoutCommit) {
  spill(path("a"), "old");
  {
    AtomicFile file(path("a"));
    file.write("new", 3);
  }
  EXPECT_EQ(slurp(path("a")), "old");
  EXPECT_EQ(files(), std::set<std::string>{"a"});
}

TEST_F(AtomicFiles, KeepThePermissionsOfWhatTheyReplace) {
  spill(path("a"), "old");
  std::filesystem::permissions(path("a"), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  AtomicFile file(path("a"));
  file.commit();
  EXPECT_EQ(std::filesystem::status(path("a")).permissions(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(AtomicFiles, RefuseFoldersAndDevices) {
  EXPECT_THROW(AtomicFile{folder_.string()}, IoError);
  EXPECT_THROW(AtomicFile{"/dev/null"}, IoError);
  EXPECT_THROW(AtomicFile{path("none/a")}, IoError);
}

TEST_F(AtomicFiles, SignalHandlersCanRemoveThem) {
  AtomicFile a(path("a")), b(path("b"));
  EXPECT_EQ(files().size(), 2u);
  remove_unfinished_files();
  EXPECT_EQ(files().size(), 0u);
}

}  // namespace
}  // namespace tidepool::io
