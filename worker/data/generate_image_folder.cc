#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/random.h"
#include "worker/data/generate.h"
#include "worker/data/generate_output.h"
#include "worker/data/jpeg_encoder.h"
#include "worker/data/photographs.h"
#include "worker/data/texture.h"

namespace fairlap::data {
namespace {

using base::ErrorKind;
using base::MakeError;

constexpr int64_t kVersion = 1;  // of the bytes that a description stands for
constexpr int64_t kMostClasses = 10'000;
constexpr int64_t kSmallestEdge = 16;
constexpr int64_t kTypicalWidth = 500;

int64_t TypicalWidth(const GenerateOptions& options) {
  return options.typical_width.value_or(kTypicalWidth);
}

struct ImageSize {
  int64_t width, height;
};

// ImageNet's sizes in small: most images have the typical width or that height, a few are much
// smaller or larger.
ImageSize DrawSize(int64_t typical_width, base::Random& random) {
  constexpr int64_t kPercents[] = {40,  65,  80,  90,  100, 100, 100, 100, 100, 100,
                                   100, 100, 100, 100, 100, 105, 115, 130, 160, 220};
  constexpr int64_t kHeightPercents[] = {66, 75, 75, 75, 75, 75, 75, 80, 100};
  const int64_t percent = kPercents[random.Below(std::size(kPercents))];
  const int64_t height_percent = kHeightPercents[random.Below(std::size(kHeightPercents))];
  ImageSize size{typical_width * percent / 100, typical_width * percent * height_percent / 10'000};
  if (random.Below(4) == 0) std::swap(size.width, size.height);
  size.width = std::max(size.width - random.Between(0, 7), kSmallestEdge);
  size.height = std::max(size.height - random.Between(0, 7), kSmallestEdge);
  return size;
}

// ---- drawn images ----

// What all images of a class share.
struct ClassStyle {
  Pattern pattern;
  int64_t bands;  // across the shorter edge
  Colour dark, light;
  Colour disc;
};

ClassStyle MakeClassStyle(int64_t label) {
  constexpr uint64_t kStyleSalt = 0x7374796c65;
  base::Random random(base::MixSeeds(kStyleSalt, static_cast<uint64_t>(label)));
  const auto [dark, light] = DrawColours(random);
  const auto any = [&random] { return random.Between(0, 255); };
  return {.pattern = static_cast<Pattern>(label % kPatternCount),
          .bands = 4 + 3 * (label / kPatternCount % 4),
          .dark = dark,
          .light = light,
          .disc = {any(), any(), any()}};
}

Texture DrawTexture(const ClassStyle& style, const ImageSize& size, base::Random& random) {
  const int64_t pitch = std::min(size.width, size.height) * 256 / style.bands;
  return {.pattern = style.pattern,
          .pitch = std::max<int64_t>(512, pitch * random.Between(85, 115) / 100),
          .shift_x = random.Between(0, size.width),
          .shift_y = random.Between(0, size.height),
          .mirrored = random.Below(2) == 1};
}

struct Disc {
  int64_t x, y, radius_squared;
  bool Covers(int64_t px, int64_t py) const {
    return (px - x) * (px - x) + (py - y) * (py - y) < radius_squared;
  }
};

Disc DrawDisc(const ImageSize& size, base::Random& random) {
  const int64_t radius = std::min(size.width, size.height) * random.Between(8, 20) / 100;
  return {random.Between(0, size.width), random.Between(0, size.height), radius * radius};
}

// Eight values of noise a draw: a photograph's grain, and what makes its file as large.
class Grain {
 public:
  explicit Grain(base::Random& random) : random_(random) {}
  int64_t Next(int64_t amplitude) {
    if (left_ == 0) bits_ = random_.Next();
    left_ = (left_ + 7) % 8;
    const auto byte = static_cast<int64_t>(bits_ & 0xff);
    bits_ >>= 8;
    return (byte - 128) * amplitude / 128;
  }

 private:
  base::Random& random_;
  uint64_t bits_ = 0;
  int left_ = 0;
};

RgbImage DrawImage(const ClassStyle& style, const ImageSize& size, base::Random random) {
  constexpr int64_t kGrain = 20;
  const Texture texture = DrawTexture(style, size, random);
  const Disc discs[] = {DrawDisc(size, random), DrawDisc(size, random)};
  const SmoothNoise shade(std::max<int64_t>(8, size.width / 6), 40, random);
  const SmoothNoise detail(5, 24, random);
  Grain grain(random);
  RgbImage image = MakeRgbImage(size.width, size.height);
  for (int64_t y = 0; y < size.height; ++y) {
    for (int64_t x = 0; x < size.width; ++x) {
      const bool in_disc = discs[0].Covers(x, y) || discs[1].Covers(x, y);
      const Colour colour =
          in_disc ? style.disc : Mix(style.dark, style.light, TextureAt(texture, x, y));
      const int64_t light = shade.At(x, y) + detail.At(x, y) + grain.Next(kGrain);
      uint8_t* pixel = image.At(x, y);
      for (size_t c = 0; c < 3; ++c) {
        pixel[c] = static_cast<uint8_t>(std::clamp<int64_t>(colour[c] + light, 0, 255));
      }
    }
  }
  return image;
}

// ---- both ----

struct ImageClass {
  std::string name;
  int64_t label;
};

std::string Padded(const char* prefix, int64_t number, int width) {
  char text[32];
  std::snprintf(text, sizeof text, "%s%0*lld", prefix, width, static_cast<long long>(number));
  return text;
}

base::Random ImageRandom(uint64_t seed, Split split, int64_t label, int64_t number) {
  uint64_t mixed = base::MixSeeds(seed, split == Split::kTrain ? 0 : 1);
  mixed = base::MixSeeds(mixed, static_cast<uint64_t>(label));
  return base::Random(base::MixSeeds(mixed, static_cast<uint64_t>(number)));
}

// `make(random)` is one image of the class.
template <class Make>
base::Status WriteClass(const GenerateOptions& options, Split split, int64_t classes,
                        const ImageClass& image_class, DatasetOutput& output, Make make) {
  const bool train = split == Split::kTrain;
  const int64_t all = train ? options.images : ValidationImages(options.images, classes);
  const int64_t count = ImagesOfClass(all, classes, image_class.label);
  for (int64_t number = 0; number < count; ++number) {
    const RgbImage image = make(ImageRandom(options.seed, split, image_class.label, number));
    const base::Result<std::string> file = EncodeJpeg(image);
    if (!file) return tl::unexpected(file.error());
    const std::string path = std::string(train ? "train/" : "val/") + image_class.name + "/" +
                             Padded("", number, 7) + ".jpg";
    base::Status status = output.Write(path, *file);
    if (status) status = output.Advance(1);
    if (!status) return status;
  }
  return {};
}

base::Status DrawAll(const GenerateOptions& options, Split split, DatasetOutput& output) {
  base::Status status;
  for (int64_t label = 0; status && label < options.classes; ++label) {
    const ClassStyle style = MakeClassStyle(label);
    status = WriteClass(options, split, options.classes, {Padded("class_", label, 4), label},
                        output, [&](base::Random random) {
                          const ImageSize size = DrawSize(TypicalWidth(options), random);
                          return DrawImage(style, size, random);
                        });
  }
  return status;
}

base::Status CutAll(const GenerateOptions& options, const std::vector<Photograph>& photographs,
                    Split split, DatasetOutput& output) {
  base::Status status;
  const int64_t classes = std::ssize(photographs);
  for (int64_t label = 0; status && label < classes; ++label) {
    const base::Result<RgbImage> photograph = ReadPhotograph(photographs[label].path);
    if (!photograph) return tl::unexpected(photograph.error());
    status = WriteClass(options, split, classes, {photographs[label].class_name, label}, output,
                        [&](base::Random random) {
                          const ImageSize size = DrawSize(TypicalWidth(options), random);
                          return CutPhotograph(*photograph, split, size.width, size.height, random);
                        });
  }
  return status;
}

base::Status CheckCounts(int64_t classes, int64_t images) {
  if (classes < 1 || classes > kMostClasses) {
    return MakeError(
        ErrorKind::kInvalidInput,
        "an imageFolder data set has 1 to 10000 classes, not " + std::to_string(classes));
  }
  if (images < classes || images > 9'999'999) {
    return MakeError(ErrorKind::kInvalidInput,
                     std::to_string(classes) +
                         " classes need at least as many images and at most "
                         "9999999, not " +
                         std::to_string(images));
  }
  return {};
}

base::Json Describe(const GenerateOptions& options, const std::vector<Photograph>& photographs) {
  const int64_t classes = options.from ? std::ssize(photographs) : options.classes;
  base::Json description = {{"version", kVersion},  {"format", "imageFolder"},
                            {"classes", classes},   {"images", options.images},
                            {"seed", options.seed}, {"typicalWidth", TypicalWidth(options)}};
  for (const Photograph& photograph : photographs) {
    description["photographs"][photograph.class_name] = photograph.sha256;
  }
  return description;
}

}  // namespace

base::Result<GeneratedDataset> GenerateImageFolder(const GenerateOptions& options,
                                                   const GenerateProgress& progress,
                                                   std::stop_token stop) {
  if (TypicalWidth(options) < kSmallestEdge || TypicalWidth(options) > 4096) {
    return MakeError(ErrorKind::kInvalidInput, "the typical width is 16 to 4096 pixels, not " +
                                                   std::to_string(TypicalWidth(options)));
  }
  std::vector<Photograph> photographs;
  if (options.from) {
    auto found = FindPhotographs(*options.from, options.classes);
    if (!found) return tl::unexpected(found.error());
    photographs = std::move(*found);
  }
  const base::Json description = Describe(options, photographs);
  base::Status status = CheckCounts(description["classes"].get<int64_t>(), options.images);
  if (!status) return tl::unexpected(status.error());
  DatasetOutput output(options, description, progress, std::move(stop));
  if (auto existing = output.Existing()) return *existing;
  status = output.Begin();
  for (const Split split : {Split::kTrain, Split::kValidation}) {
    if (!status) break;
    status = options.from ? CutAll(options, photographs, split, output)
                          : DrawAll(options, split, output);
  }
  if (!status) return tl::unexpected(status.error());
  return output.Finish();
}

}  // namespace fairlap::data
