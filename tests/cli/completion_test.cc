// Shell completion, in the shells themselves.
#include <algorithm>
#include <sstream>

#include "complete.h"
#include "run_tool.h"

namespace tidepool::cli {
namespace {

class Completion : public InFolder {
 protected:
  // The candidates that the program itself names, without their descriptions.
  std::set<std::string> candidates(const std::string& words) const { return first_words(tool("__complete " + words).out); }

  static std::set<std::string> first_words(const std::string& text) {
    std::set<std::string> words;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (!line.empty()) words.insert(line.substr(0, line.find('\t')));
    return words;
  }

  static bool has_shell(const std::string& shell) { return std::system((shell + " -c true >/dev/null 2>&1").c_str()) == 0; }

  // Runs a script of the shell in the test's folder, with `tidepool` in its path and the completion loaded.
  std::set<std::string> in_shell(const std::string& shell, const std::string& prelude, const std::string& script) const {
    std::filesystem::create_symlink(TIDEPOOL_CLI, path("tidepool"));
    spill(path("script"), "PATH=\"$PWD:$PATH\"\n" + prelude + "\nsource <(tidepool completion " + shell + ")\n" + script);
    const Answer answer = tool("--version >/dev/null; " + shell + " script");
    EXPECT_EQ(answer.err, "");
    std::filesystem::remove(path("tidepool"));
    std::filesystem::remove(path("script"));
    return first_words(answer.out);
  }
  // What bash completes `words` to; the last one is being typed. They are separated as bash does it, at = and : too.
  std::set<std::string> in_bash(const std::string& words, int count) const {
    return in_shell(
        "bash", "",
        "COMP_WORDS=(tidepool " + words + ")\nCOMP_CWORD=" + std::to_string(count) + "\n_tidepool\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
  }
  std::set<std::string> in_zsh(const std::string& words, int count) const {
    return in_shell("zsh", "compdef() { }\n_describe() { print -l -- \"${(@)${(@P)2}%%:*}\" }\n_files() { print -- \"_files $*\" }",
                    "words=(tidepool " + words + ")\nCURRENT=" + std::to_string(count + 1) + "\n_tidepool\n");
  }
};

using Words = std::set<std::string>;

TEST_F(Completion, NamesVerbsAndOps) {
  EXPECT_EQ(candidates("t"), (Words{"tour", "tune", "train"}));
  EXPECT_EQ(candidates("pool glo"), (Words{"global_max", "global_avg", "global_sum", "global_lp"}));
  const Words all = candidates("''");
  for (const char* verb : {"tour", "list", "plan", "run", "tune", "pool", "why", "show", "shape", "diff", "train", "predict", "completion"})
    EXPECT_TRUE(all.contains(verb));
  EXPECT_FALSE(all.contains(std::string(complete_word)));
  EXPECT_EQ(candidates("nonsense x"), Words{});
}

TEST_F(Completion, NamesOptionsOfTheVerb) {
  EXPECT_EQ(candidates("run --s"), (Words{"--seconds", "--seed"}));
  EXPECT_EQ(candidates("pool max -"), candidates("pool min -"));
  const Words options = candidates("pool max -");
  for (const char* option : {"-k", "--kernel-size", "-o", "--out", "--nan", "--threads", "--help"})
    EXPECT_TRUE(options.contains(option)) << option;
  EXPECT_FALSE(candidates("pool avg --i").contains("--indices")) << "an option that the help does not show";
}

// Every option that the help shows is completed: both come from one definition.
TEST_F(Completion, NamesEveryOptionOfTheHelp) {
  for (const std::string verb : {"", "tour", "list", "plan", "run", "tune", "pool max", "pool unpool", "pool fractional_max", "why", "show",
                                 "shape", "diff", "completion"}) {
    const Words options = candidates(verb + " --");
    std::istringstream help(tool(verb + " --help").out);
    int seen = 0;
    for (std::string line; std::getline(help, line);) {
      const size_t at = line.find("--");
      if (!line.starts_with("  -") || at > 6) continue;
      const std::string option = line.substr(at, line.find_first_of(" {,=", at) - at);
      EXPECT_TRUE(options.contains(option)) << verb << " " << option;
      ++seen;
    }
    EXPECT_GE(seen, 1) << verb;
    EXPECT_EQ(options.size(), static_cast<size_t>(seen)) << verb;
  }
}

TEST_F(Completion, OffersFilesForNetworks) {
  EXPECT_EQ(candidates("shape ''"), Words{":files"});
  EXPECT_EQ(candidates("shape 3x8x8 ''"), Words{":files"});
  EXPECT_EQ(candidates("shape 3x8x8 a.txt --html ''"), Words{":files"});
  EXPECT_EQ(candidates("diff 3x8x8 a.txt ''"), Words{":files"});
  EXPECT_EQ(candidates("shape --m"), (Words{"--markdown", "--memory-speed"}));
}

TEST_F(Completion, NamesValues) {
  EXPECT_EQ(candidates("pool max --nan ''"), (Words{"propagate", "ignore"}));
  EXPECT_EQ(candidates("pool max --nan=p"), Words{"--nan=propagate"});
  EXPECT_EQ(candidates("pool max -k 2 --layout channels_l"), Words{"channels_last"});
  EXPECT_EQ(candidates("pool avg --count-include-pad ''"), (Words{"true", "false", "full_kernel"}));
  EXPECT_EQ(candidates("pool max --ceil-mode=c"), (Words{"--ceil-mode=ceil", "--ceil-mode=ceil_full"}));
  EXPECT_EQ(candidates("pool max -k ''"), Words{});
  EXPECT_EQ(candidates("completion ''"), (Words{"bash", "zsh"}));
}

TEST_F(Completion, NamesFilesWhereFilesAreMeant) {
  EXPECT_EQ(candidates("pool max ''"), Words{":files"});
  EXPECT_EQ(candidates("pool max in.npy -o ''"), Words{":files"});
  EXPECT_EQ(candidates("pool max in.npy ''"), Words{});
  EXPECT_EQ(candidates("pool max --ceil-mode ''"), Words{":files"}) << "a flag takes no value";
  EXPECT_EQ(candidates("pool max -k2 ''"), Words{":files"}) << "the value is in the same word";
  EXPECT_EQ(candidates("pool max -- -"), Words{":files"}) << "no options behind --";
}

TEST_F(Completion, WorksInBash) {
  if (!has_shell("bash")) GTEST_SKIP() << "bash is not installed";
  spill(path("in.npy"), "");
  spill(path("in 2.npy"), "");
  EXPECT_EQ(in_bash("po", 1), Words{"pool"});
  EXPECT_EQ(in_bash("pool max --nan i", 4), Words{"ignore"});
  EXPECT_EQ(in_bash("pool max --nan = i", 5), Words{"ignore"});
  EXPECT_EQ(in_bash("pool max --nan =", 4), (Words{"propagate", "ignore"}));
  EXPECT_EQ(in_bash("pool max in", 3), (Words{"in.npy", "in 2.npy"}));
  EXPECT_EQ(in_bash("run \"max2d fwd\" --ch", 3), Words{"--check"});
}

TEST_F(Completion, WorksInZsh) {
  if (!has_shell("zsh")) GTEST_SKIP() << "zsh is not installed";
  EXPECT_EQ(in_zsh("po", 1), Words{"pool"});
  EXPECT_EQ(in_zsh("pool max --nan i", 4), Words{"ignore"});
  EXPECT_EQ(in_zsh("pool max ''", 3), Words{"_files "});
  EXPECT_EQ(in_zsh("run 'max2d fwd' --ch", 3), Words{"--check"});
}

TEST_F(Completion, RefusesOtherShells) { expect_refused("completion fish", 2, "fish"); }

}  // namespace
}  // namespace tidepool::cli
