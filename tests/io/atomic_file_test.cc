#include "tidepool/io/atomic_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <vector>

#include "core/portable.h"
#include "support/forked.h"
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

// The message of the IoError, or "" without one.
std::string refusal(const std::string& path) {
  try {
    AtomicFile file(path);
    return "";
  } catch (const IoError& e) {
    return e.message();
  }
}

TEST_F(AtomicFiles, WriteThroughLinksAndKeepThem) {
  std::filesystem::create_directory(path("inner"));
  spill(path("inner/target"), "old");
  std::filesystem::create_symlink("inner/target", path("first"));
  std::filesystem::create_symlink("first", path("second"));
  {
    AtomicFile file(path("second"));
    file.write("new", 3);
    // The temporary file lies beside the target, so that the rename stays within one file system.
    EXPECT_EQ(files(), (std::set<std::string>{"inner", "first", "second"}));
    file.commit();
  }
  EXPECT_EQ(slurp(path("inner/target")), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(path("first")));
  EXPECT_TRUE(std::filesystem::is_symlink(path("second")));
}

TEST_F(AtomicFiles, RefuseLinksThatLeadNowhere) {
  std::filesystem::create_symlink("gone", path("link"));
  std::filesystem::create_symlink("loop", path("loop"));
  EXPECT_EQ(refusal(path("link")), "cannot write " + path("link") + ": it is a symbolic link to gone, which does not exist");
  EXPECT_EQ(refusal(path("loop")), "cannot write " + path("loop") + ": Too many levels of symbolic links");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(files(), (std::set<std::string>{"link", "loop"}));
}

TEST_F(AtomicFiles, SayWhatTheyCannotReplace) {
  EXPECT_EQ(refusal(folder_.string()), "cannot write " + folder_.string() + ": it is a directory");
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(refusal(path("pipe")), "cannot write " + path("pipe") + ": it is not a regular file");
  EXPECT_EQ(refusal(path("none/a")), "cannot write " + path("none/a") + ": No such file or directory");
  EXPECT_EQ(refusal(path("pipe/a")), "cannot write " + path("pipe/a") + ": Not a directory");
  // Nobody can make files here, not even root.
  EXPECT_TRUE(refusal("/proc/self/task/a").starts_with("cannot write /proc/self/task/a: ")) << refusal("/proc/self/task/a");
  EXPECT_EQ(files(), std::set<std::string>{"pipe"});
}

// Whether that is the refusal for a user who is not root. Root may write everywhere.
::testing::AssertionResult refuses_users(const std::string& path, const std::string& expected) {
  return test::works_in_child([&]() -> std::string {
    // If root cannot become another user, or that user cannot come here, there is nothing to see.
    const std::string folder = std::filesystem::path(path).parent_path().string();
    if (geteuid() == 0 && (setuid(65534) != 0 || access(folder.c_str(), X_OK) != 0)) return "";
    const std::string message = refusal(path);
    return message == expected ? "" : "got '" + message + "', expected '" + expected + "'";
  });
}

TEST_F(AtomicFiles, ReadOnlyDirectoriesAreNamedAsTheReason) {
  namespace fs = std::filesystem;
  fs::permissions(folder_, fs::perms::all);
  fs::create_directory(path("closed"));
  fs::permissions(path("closed"), fs::perms::all & ~(fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write));
  EXPECT_TRUE(
      refuses_users(path("closed/a"), "cannot write " + path("closed/a") + ": no file can be made in its directory: Permission denied"));
}

// A rename would replace it, because that needs the right to write in the directory only.
TEST_F(AtomicFiles, RefuseToReplaceAReadOnlyFile) {
  namespace fs = std::filesystem;
  fs::permissions(folder_, fs::perms::all);
  spill(path("a"), "old");
  fs::permissions(path("a"), fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  EXPECT_TRUE(refuses_users(path("a"), "cannot write " + path("a") + ": Permission denied"));
  EXPECT_EQ(slurp(path("a")), "old");
  EXPECT_EQ(files(), std::set<std::string>{"a"});
}

#ifdef __linux__
// The longest path has 4095 bytes, and the temporary file has a longer name than the file.
TEST_F(AtomicFiles, APathThatIsTooLongIsSaidToBe) {
  std::set<std::string> reasons;
  for (int64_t length = 4200; length >= 4000; --length) {
    std::string file = path("none");
    while (std::ssize(file) + 202 < length) file += "/" + std::string(200, 'a');
    file += "/" + std::string(static_cast<size_t>(length - std::ssize(file) - 1), 'a') + "/a";
    const std::string message = refusal(file), start = "cannot write " + file + ": ";
    ASSERT_TRUE(message.starts_with(start)) << message;
    reasons.insert(message.substr(start.size()));
  }
  EXPECT_EQ(reasons, (std::set<std::string>{"No such file or directory", "the name is too long, or too many files are open"}));
}
#endif

TEST_F(AtomicFiles, ANameTooLongForTheSystemLeavesNothing) {
  AtomicFile file(path(std::string(300, 'a')));
  file.write("x", 1);
  EXPECT_THROW(file.commit(), IoError);
}

TEST_F(AtomicFiles, SignalHandlersCanRemoveThem) {
  AtomicFile a(path("a")), b(path("b"));
  EXPECT_EQ(files().size(), 2u);
  remove_unfinished_files();
  EXPECT_EQ(files().size(), 0u);
}

// The files belong to the parent, which goes on writing them.
TEST_F(AtomicFiles, AChildLeavesThoseOfItsParent) {
  if (!TIDEPOOL_POSIX) GTEST_SKIP() << "the portable branch does not know of fork";
  std::optional<AtomicFile> a(path("a")), b(path("b"));
  a->write("of the parent", 13);
  EXPECT_TRUE(test::works_in_child([&]() -> std::string {
    remove_unfinished_files();
    if (files().size() != 2) return "removed the parent's files";
    a.reset();
    if (files().size() != 2) return "removed the parent's file";
    // Its own files are its own affair.
    {
      AtomicFile committed(path("c"));
      committed.write("of the child", 12);
      committed.commit();
      const AtomicFile dropped(path("d"));
    }
    std::optional<AtomicFile> last(path("e"));
    remove_unfinished_files();
    return files().size() == 3 ? "" : "left its own files";
  }));
  a->commit();
  EXPECT_EQ(slurp(path("a")), "of the parent");
  EXPECT_EQ(slurp(path("c")), "of the child");
  b.reset();
  EXPECT_EQ(files(), (std::set<std::string>{"a", "c"}));
}

// Each process has all places for unfinished files, also if its parent uses them.
TEST_F(AtomicFiles, AChildHasAsManyPlaces) {
  if (!TIDEPOOL_POSIX) GTEST_SKIP() << "the portable branch does not know of fork";
  std::vector<std::unique_ptr<AtomicFile>> mine;
  for (int i = 0; i < 8; ++i) mine.push_back(std::make_unique<AtomicFile>(path(std::to_string(i))));
  EXPECT_THROW(AtomicFile{path("more")}, IoError);
  EXPECT_TRUE(test::works_in_child([&]() -> std::string {
    std::vector<std::unique_ptr<AtomicFile>> own;
    for (int i = 0; i < 8; ++i) own.push_back(std::make_unique<AtomicFile>(path("child" + std::to_string(i))));
    mine.clear();
    if (files().size() != 16) return "removed the parent's files";
    remove_unfinished_files();
    return files().size() == 8 ? "" : "left its own files";
  }));
  for (auto& file : mine) file->commit();
  EXPECT_EQ(files().size(), 8U);
}

}  // namespace
}  // namespace tidepool::io
