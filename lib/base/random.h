// Seeded random numbers that are the same on every machine and with every standard library, which
// std::shuffle and the std distributions are not.
#ifndef FAIRLAP_LIB_BASE_RANDOM_H_
#define FAIRLAP_LIB_BASE_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace fairlap::base {

// A well-mixed function of both words: derives a seed from a seed and a counter.
uint64_t MixSeeds(uint64_t seed, uint64_t salt);

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). Not
// thread-safe; cheap to make, so make one for each purpose.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next();
  // What Next of a generator made with `seed` returns after `skipped` earlier calls.
  static uint64_t At(uint64_t seed, uint64_t skipped);
  // Uniform in [0, bound), without bias (Lemire 2019); `bound` is at least 1.
  uint64_t Below(uint64_t bound);
  // Uniform in [low, high], both included.
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(Below(static_cast<uint64_t>(high - low) + 1));
  }
  // Uniform in [0, 1), a multiple of 2^-53.
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

 private:
  uint64_t state_;
};

// Fisher-Yates: every order of `items` is equally likely.
template <class T>
void Shuffle(std::span<T> items, Random& random) {
  for (size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[random.Below(left)]);
  }
}

}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_BASE_RANDOM_H_
