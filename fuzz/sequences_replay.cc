// Runs random sequences of calls for some seconds, without libFuzzer: for ThreadSanitizer and for builds with any compiler.
//
// usage: tidepool_sequences_replay [SECONDS [SEED]]     random sequences
//        tidepool_sequences_replay FILE…                the sequences in these files
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz/sequences.h"

namespace {

bool is_number(const std::string& text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos; }

void run(const std::vector<uint8_t>& bytes) { tidepool::fuzz::run_sequence(bytes.data(), bytes.size()); }

int replay_files(int count, char** names) {
  for (int i = 0; i < count; ++i) {
    std::ifstream file(names[i], std::ios::binary);
    if (!file) return std::fprintf(stderr, "cannot read %s\n", names[i]), 2;
    run(std::vector<uint8_t>(std::istreambuf_iterator<char>(file), {}));
  }
  std::printf("%d sequences\n", count);
  return 0;
}

int replay_random(double seconds, uint64_t seed) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  uint64_t count = 0;
  for (; std::chrono::steady_clock::now() < end; ++count) {
    std::mt19937_64 random(seed + count);
    std::vector<uint8_t> bytes(random() % 400);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    // For whoever looks into a crash.
    if (std::getenv("TIDEPOOL_FUZZ_VERBOSE") != nullptr) std::fprintf(stderr, "seed %llu\n", static_cast<unsigned long long>(seed + count));
    run(bytes);
  }
  std::printf("%llu sequences, seeds from %llu\n", static_cast<unsigned long long>(count), static_cast<unsigned long long>(seed));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && !is_number(argv[1])) return replay_files(argc - 1, argv + 1);
  return replay_random(argc > 1 ? std::atof(argv[1]) : 10, argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
}
