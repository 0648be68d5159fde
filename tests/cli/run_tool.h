// Runs the built command line as a person would, in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "support/in_folder.h"

namespace tidepool::cli {

using test::slurp;
using test::spill;

struct Answer {
  int code = -1;
  std::string out;
  std::string err;
};

class InFolder : public test::InFolder {
 protected:
  // `arguments` go through the shell, with the folder as working directory.
  Answer tool(const std::string& arguments) const {
    const std::string streams = (folder_.parent_path() / (folder_.filename().string() + ".std")).string();
    const std::string command =
        "cd '" + folder_.string() + "' && '" + TIDEPOOL_CLI + "' " + arguments + " >'" + streams + "out' 2>'" + streams + "err'";
    const int status = std::system(command.c_str());
    Answer answer{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), slurp(streams + "out"), slurp(streams + "err")};
    std::filesystem::remove(streams + "out");
    std::filesystem::remove(streams + "err");
    return answer;
  }

  // Exit code, one line on standard error that starts with the program's name and holds `words`, nothing on standard output.
  void expect_refused(const std::string& arguments, int code, const std::string& words) const {
    const std::set<std::string> before = files();
    const Answer answer = tool(arguments);
    EXPECT_EQ(answer.code, code) << arguments << "\n" << answer.err;
    EXPECT_TRUE(answer.err.starts_with("tidepool: ")) << arguments << "\n" << answer.err;
    EXPECT_EQ(answer.err.find('\n'), answer.err.size() - 1) << arguments << "\n" << answer.err;
    EXPECT_NE(answer.err.find(words), std::string::npos) << arguments << "\n" << answer.err;
    EXPECT_EQ(answer.out, "") << arguments;
    EXPECT_EQ(files(), before) << arguments;
  }
};

}  // namespace tidepool::cli
