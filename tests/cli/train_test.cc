#include <csignal>
#include <nlohmann/json.hpp>

#include "run_tool.h"
#include "terminal.h"
#include "tidepool/creation.h"
#include "tidepool/data/image_set.h"
#include "tidepool/io/png.h"
#include "tidepool/io/safetensors.h"

namespace tidepool::cli {
namespace {

using nlohmann::json;

class Train : public InFolder {
 protected:
  // Starts the tool with these arguments and sends SIGKILL as soon as `file` exists.
  void kill_when_there(const std::string& file, const std::vector<std::string>& words) const {
    const pid_t child = fork();
    if (child == 0) {
      if (chdir(folder_.c_str()) != 0 || std::freopen("/dev/null", "w", stdout) == nullptr) _exit(99);
      std::vector<char*> argv{const_cast<char*>("tidepool")};
      for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
      argv.push_back(nullptr);
      execv(TIDEPOOL_CLI, argv.data());
      _exit(99);
    }
    for (int i = 0; i < 6000 && !std::filesystem::exists(path(file)); ++i) usleep(5'000);
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it ended before it could be killed";
  }

  void write_png(const std::string& name, const Tensor& pixels) const {
    io::AtomicFile file(path(name));
    io::write_png(file, {.pixels = pixels, .srgb = {}, .file_gamma = {}});
    file.commit();
  }
};

TEST_F(Train, LearnsGlyphsAndPredictsThem) {
  const Answer answer = tool("train --data glyphs --glyphs 3000 --epochs 2 --batch 32 --threads 1 --out run --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const json report = json::parse(answer.out);
  EXPECT_EQ(report["data"], "generated glyphs, 3000 digits");
  EXPECT_EQ(report["note"], "");
  EXPECT_EQ(report["results"][0]["pool"], "max");
  EXPECT_EQ(report["results"][0]["parameters"], 61706);
  EXPECT_GT(report["results"][0]["accuracy"], 0.9);
  EXPECT_TRUE(slurp(path("run/loss.svg")).starts_with("<svg"));
  EXPECT_TRUE(slurp(path("run/confusion-max.svg")).starts_with("<svg"));
  const io::Safetensors weights = io::read_safetensors(path("run/max.safetensors"));
  EXPECT_EQ(weights.tensors[0].first, "conv1.weight");
  EXPECT_EQ(weights.tensors[0].second.shape(), (Dims{6, 1, 5, 5}));
  EXPECT_EQ(weights.tensors.size(), 10u);

  // Ten glyphs that were not in the training set: unchanged, and three times as large, dark on a bright background, in colour.
  const data::ImageSet unseen = data::make_glyphs(10, 77);
  int right = 0, right_large = 0;
  for (int64_t i = 0; i < 10; ++i) {
    const Tensor small = unseen.images.slice(0, i, i + 1).reshape({1, 28, 28});
    Tensor large({3, 84, 84}, DType::u8);
    for (int64_t p = 0; p < large.numel(); ++p)
      large.data<uint8_t>()[p] = static_cast<uint8_t>(255 - small.data<uint8_t>()[p % (84 * 84) / 84 / 3 * 28 + p % 84 / 3] / 2);
    write_png("small.png", small);
    write_png("large.png", large);
    const std::string label = unseen.classes[static_cast<size_t>(unseen.labels.data<int64_t>()[i])];
    right += tool("predict small.png --weights run/max.safetensors").out.starts_with("small.png: " + label + "\n") ? 1 : 0;
    right_large += json::parse(tool("predict large.png --weights run/max.safetensors --json").out)["class"] == label ? 1 : 0;
  }
  EXPECT_GE(right, 8);
  EXPECT_GE(right_large, 7);
}

TEST_F(Train, AKillAndResumeGiveTheSameWeights) {
  const std::string words = "train --data glyphs --glyphs 2000 --epochs 3 --batch 16 --threads 1 --save-every 10 --pool ";
  for (const char* pool : {"max", "all"}) {
    const std::string straight = std::string("straight-") + pool, killed = std::string("killed-") + pool;
    ASSERT_EQ(tool(words + pool + " --out " + straight).code, 0);
    kill_when_there(killed + "/checkpoint.safetensors", {"train", "--data", "glyphs", "--glyphs", "2000", "--epochs", "3", "--batch", "16",
                                                         "--threads", "1", "--save-every", "10", "--pool", pool, "--out", killed});
    ASSERT_FALSE(std::filesystem::exists(path(killed + "/max.safetensors"))) << "it was over before the kill";
    const Answer answer = tool(words + pool + " --resume --out " + killed);
    ASSERT_EQ(answer.code, 0) << answer.err;
    EXPECT_NE(answer.out.find("resuming " + killed + "/checkpoint.safetensors after batch "), std::string::npos) << answer.out;
    for (const char* name : {"max.safetensors", "checkpoint.safetensors", "loss.svg", "confusion-max.svg"})
      EXPECT_TRUE(slurp(path(straight + "/" + name)) == slurp(path(killed + "/" + name))) << pool << ": " << name << " differs";
  }
  EXPECT_TRUE(std::filesystem::exists(path("killed-all/stride.safetensors")));
  const auto left = [this](const std::string& folder) {
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / folder))
      if (entry.path().filename().string().ends_with(".part")) return true;
    return false;
  };
  EXPECT_FALSE(left("straight-max"));
}

TEST_F(Train, AnInterruptEndsItAndLeavesNoFile) {
  const int silent = open("/dev/null", O_RDWR);
  Child child({"train", "--data", "glyphs", "--epochs", "100", "--save-every", "1", "--out", path("lenet")}, silent, silent);
  usleep(700'000);
  EXPECT_EQ(child.interrupt(), 128 + SIGINT);
  close(silent);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

TEST_F(Train, ResumeRefusesWhatDoesNotFit) {
  const std::string words = "train --data glyphs --glyphs 100 --epochs 1 --threads 1 ";
  EXPECT_EQ(tool(words + "--resume").code, 3);
  ASSERT_EQ(tool(words).code, 0);
  expect_refused(words + "--resume --seed 2", 2, "--resume: lenet/checkpoint.safetensors was begun with seed 1, got 2");
  expect_refused(words + "--resume --pool avg", 2, "was begun with pool max, got avg");
  expect_refused("train --data glyphs --glyphs 101 --epochs 1 --threads 1 --resume", 2, "generated glyphs, 101 digits");
  const std::string whole = slurp(path("lenet/checkpoint.safetensors"));
  spill(path("lenet/checkpoint.safetensors"), whole.substr(0, whole.size() / 2));
  expect_refused(words + "--resume", 2, "lenet/checkpoint.safetensors: bad .safetensors header");
  spill(path("lenet/checkpoint.safetensors"), slurp(path("lenet/max.safetensors")));
  expect_refused(words + "--resume", 2, "not a checkpoint of tidepool train");
}

TEST_F(Train, SaysWhichDataItUses) {
  ASSERT_EQ(setenv("TIDEPOOL_DATA", "nowhere", 1), 0);
  const Answer answer = tool("train --data mnist --glyphs 100 --epochs 1 --threads 1");
  unsetenv("TIDEPOOL_DATA");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(
      answer.out.starts_with("note: MNIST is not in nowhere/mnist (./dev data fetches it): generated glyphs instead\n"
                             "data: generated glyphs, 100 digits, 100 more for the test\n"))
      << answer.out;
}

TEST_F(Train, TakesFoldersOfPictures) {
  for (const char* name : {"bright", "dark"}) {
    std::filesystem::create_directories(folder_ / "set" / name);
    for (int i = 0; i < 18; ++i)
      write_png("set/" + std::string(name) + "/" + std::to_string(i) + ".png",
                full({3, 12, 14}, (name[0] == 'b' ? 200 : 20) + i, DType::u8));
  }
  const Answer answer = tool("train --data set --epochs 8 --batch 8 --threads 1 --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(json::parse(answer.out)["results"][0]["accuracy"], 1.0);
  EXPECT_EQ(json::parse(tool("predict set/dark/3.png --json").out)["class"], "dark");
  expect_refused("train --data none", 3, "cannot read none");
}

TEST_F(Train, AFolderThatCannotBeMadeIsOneLine) {
  spill(path("file"), "");
  expect_refused("train --data glyphs --glyphs 100 --out file", 3, "cannot make the directory file: ");
  expect_refused("train --data glyphs --glyphs 100 --out file/inner", 3, "cannot make the directory file/inner: Not a directory");
}

TEST_F(Train, BadArgumentsAndFilesAreOneLine) {
  expect_refused("train --pool median", 2, "--pool");
  expect_refused("train --epochs 0", 2, "--epochs");
  expect_refused("predict", 2, "picture");
  expect_refused("predict none.png", 3, "lenet/max.safetensors");
  spill(path("w.safetensors"), std::string("\x02\0\0\0\0\0\0\0{}", 10));
  expect_refused("predict none.png --weights w.safetensors", 2, "w.safetensors: not weights of tidepool train");
}

}  // namespace
}  // namespace tidepool::cli
