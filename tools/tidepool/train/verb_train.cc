#include <memory>

#include "app.h"
#include "number_options.h"
#include "tidepool/executor.h"
#include "train/train_run.h"

namespace tidepool::cli {

void add_train(CLI::App& app, Action& chosen) {
  auto args = std::make_shared<TrainArgs>();
  CLI::App* verb = app.add_subcommand("train", "train LeNet on digits, with max pooling, average pooling or strided convolutions");
  verb->add_option("--data", args->data, "mnist, glyphs (generated digits) or a folder with a folder of pictures per class [mnist]")
      ->type_name("{mnist,glyphs}|DIR");
  verb->add_option("--pool", args->pool, "max, avg, stride (strided convolutions instead of pooling), or all three side by side [max]")
      ->check(CLI::IsMember({"max", "avg", "stride", "all"}))
      ->type_name("POOL");
  verb->add_option("--epochs", args->epochs, "number of epochs [5]")->check(whole_number_between(1, 10000))->type_name("N");
  verb->add_option("--batch", args->batch, "batch size [64]")->check(whole_number_between(1, 100000))->type_name("N");
  verb->add_option("--lr", args->rate, "initial learning rate of Adam [0.002]")->check(positive_number())->type_name("X");
  verb->add_option("--glyphs", args->glyphs, "number of training pictures to generate with --data glyphs [12000]")
      ->check(whole_number_between(1, 10'000'000))
      ->type_name("N");
  verb->add_option("--seed", args->seed, "seed of initial weights, batch order and glyphs [1]")
      ->check(whole_number_between(0, 1'000'000'000))
      ->type_name("N");
  verb->add_option("--out", args->out, "folder for weights, checkpoint and charts [lenet]")->type_name("DIR");
  verb->add_option("--save-every", args->save_every, "steps between checkpoints [200]")
      ->check(whole_number_between(1, 1'000'000'000))
      ->type_name("N");
  add_threads(*verb, args->threads, "threads for the network; one more thread prepares the batches [1]");
  verb->add_flag("--resume", args->resume, "resume from the checkpoint in --out, with bit-identical results");
  verb->add_flag("--json", args->json, "answer in JSON");
  verb->footer(
      "The columns show the mean loss of the epoch and the accuracy on the test pictures.\n"
      "If the run is killed, only the steps since the last checkpoint are lost. Run it again with\n"
      "the same options and --resume: the final weights are the same as without the interruption.\n\n"
      "Examples:\n"
      "  tidepool train --data mnist --epochs 5\n"
      "  tidepool train --data glyphs --pool all --out comparison\n"
      "  tidepool predict digit.png --weights lenet/max.safetensors");
  verb->callback([args, &chosen] {
    chosen = [args](Console& console) {
      // One thread by default: this network is too small to gain from more, and on a busy machine threads that wait for each other are
      // slow.
      set_num_threads(args->threads);
      return TrainRun(*args, console).run();
    };
  });
}

}  // namespace tidepool::cli
