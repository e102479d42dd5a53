#include "lib/base/random.h"

namespace fairlap::base {
namespace {

constexpr uint64_t kGolden = 0x9e3779b97f4a7c15U;

uint64_t Mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

struct Product {
  uint64_t high, low;
};

Product Multiply(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return {static_cast<uint64_t>(product >> 64), static_cast<uint64_t>(product)};
}

}  // namespace

uint64_t MixSeeds(uint64_t seed, uint64_t salt) {
  return Mix(Mix(seed + kGolden) ^ (salt + kGolden) * kGolden);
}

uint64_t Random::At(uint64_t seed, uint64_t skipped) { return Mix(seed + kGolden * (skipped + 1)); }

uint64_t Random::Next() { return Mix(state_ += kGolden); }

uint64_t Random::Below(uint64_t bound) {
  Product product = Multiply(Next(), bound);
  if (product.low < bound) {
    const uint64_t threshold = -bound % bound;
    while (product.low < threshold) product = Multiply(Next(), bound);
  }
  return product.high;
}

}  // namespace fairlap::base
