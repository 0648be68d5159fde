#include <memory>

#include "app.h"
#include "tidepool/executor.h"
#include "train/train_run.h"

namespace tidepool::cli {

void add_train(CLI::App& app, Action& chosen) {
  auto args = std::make_shared<TrainArgs>();
  CLI::App* verb = app.add_subcommand("train", "train LeNet on digits, with max, average or strided pooling");
  verb->add_option("--data", args->data, "mnist, glyphs (generated digits) or a folder with a folder of pictures per class [mnist]")
      ->type_name("DATA");
  verb->add_option("--pool", args->pool, "max, avg, stride (a convolution instead), or all side by side [max]")
      ->check(CLI::IsMember({"max", "avg", "stride", "all"}))
      ->type_name("POOL");
  verb->add_option("--epochs", args->epochs, "times through the pictures [5]")->check(CLI::Range(1, 10000))->type_name("N");
  verb->add_option("--batch", args->batch, "pictures a step [64]")->check(CLI::Range(1, 100000))->type_name("N");
  verb->add_option("--lr", args->rate, "first learning rate, of Adam [0.002]")->check(CLI::PositiveNumber)->type_name("X");
  verb->add_option("--glyphs", args->glyphs, "how many glyphs to draw [12000]")->check(CLI::Range(1, 10'000'000))->type_name("N");
  verb->add_option("--seed", args->seed, "of first weights, order and glyphs [1]")->check(CLI::Range(0, 1'000'000'000))->type_name("N");
  verb->add_option("--out", args->out, "folder for weights, checkpoint and drawings [lenet]")->type_name("DIR");
  verb->add_option("--save-every", args->save_every, "steps between checkpoints [200]")
      ->check(CLI::Range(1, 1'000'000'000))
      ->type_name("N");
  verb->add_option("--threads", args->threads, "threads of the network; another one makes the batches [1]")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  verb->add_flag("--resume", args->resume, "go on from the checkpoint in --out, bit for bit");
  verb->add_flag("--json", args->json, "answer in JSON");
  verb->footer(
      "Columns are the mean loss of the epoch and the share of test pictures that were right.\n"
      "A kill costs the steps since the last checkpoint; with the same options and --resume the\n"
      "final weights are the same as without it.\n\n"
      "Examples:\n"
      "  tidepool train --data mnist --epochs 5\n"
      "  tidepool train --data glyphs --pool all --out race\n"
      "  tidepool predict digit.png --weights lenet/max.safetensors");
  verb->callback([args, &chosen] {
    chosen = [args](Console& console) {
      // One by default: a network this small gains little from more, and loses much where they wait for each other on busy cores.
      set_num_threads(args->threads);
      return TrainRun(*args, console).run();
    };
  });
}

}  // namespace tidepool::cli
