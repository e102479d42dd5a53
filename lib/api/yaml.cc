#include "lib/api/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <sstream>
#include <utility>

#include "lib/api/yaml_scalar.h"

namespace fairlap::api {
namespace {

using base::Json;
using base::Problem;

// Leaves yaml-cpp's parser from inside an event; caught in ParseYaml.
struct Refusal {
  Problem problem;
};

// Builds documents from events. A container is attached to its parent when it ends, so no pointer
// into a growing one is kept.
class DocumentBuilder : public YAML::EventHandler {
 public:
  explicit DocumentBuilder(const YamlLimits& limits) : limits_(limits) {}

  std::vector<YamlDocument> Take() { return std::move(documents_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    document_ = {};
    document_.lines[""] = Line(mark);
  }
  void OnDocumentEnd() override {
    if (!document_.root.is_null()) documents_.push_back(std::move(document_));
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    CheckProperties(mark, "?", anchor);
    Begin(mark, nullptr);
    Attach(nullptr);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    Refuse(mark, "aliases (*) are not allowed: write the value out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    CheckProperties(mark, tag, anchor);
    if (value.find('\0') != std::string::npos) Refuse(mark, "a NUL character is not allowed");
    Begin(mark, &value);
    if (ExpectsKey()) return TakeKey(mark, tag == "!", value);
    if (tag == "!") return Attach(value);
    std::optional<Json> typed = TypePlainScalar(value);
    if (!typed) Refuse(mark, "is no finite number; quote it if it is text");
    Attach(std::move(*typed));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Open(mark, tag, anchor, Json::array());
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    Open(mark, tag, anchor, Json::object());
  }
  void OnMapEnd() override { Close(); }

 private:
  struct Frame {
    Json value;
    std::string path;
    std::optional<std::string> key;  // of the value that comes next
  };

  static int Line(const YAML::Mark& mark) { return mark.line + 1; }

  std::string Path() const {  // of the value that comes next
    if (frames_.empty()) return "";
    const Frame& top = frames_.back();
    if (top.value.is_array()) return base::codec::Item(top.path, top.value.size());
    return top.key ? base::codec::Child(top.path, *top.key) : top.path;
  }
  bool ExpectsKey() const {
    return !frames_.empty() && frames_.back().value.is_object() && !frames_.back().key;
  }

  [[noreturn]] void Refuse(const YAML::Mark& mark, std::string message) const {
    throw Refusal{{Path(), std::move(message), Line(mark)}};
  }

  // yaml-cpp tags plain nodes "?" and quoted ones "!"; anything else was written by the user.
  void CheckProperties(const YAML::Mark& mark, const std::string& tag,
                       YAML::anchor_t anchor) const {
    if (anchor != 0) Refuse(mark, "anchors (&) are not allowed: write the value out");
    if (tag != "?" && tag != "!" && !tag.empty()) {
      Refuse(mark, "tags (" + tag.substr(0, 40) + ") are not allowed");
    }
  }

  // Counts the node and notes its line; `text` is null for what cannot be a key.
  void Begin(const YAML::Mark& mark, const std::string* text) {
    if (++nodes_ > limits_.nodes) {
      Refuse(mark,
             "has more than the " + std::to_string(limits_.nodes) + " values and keys allowed");
    }
    if (ExpectsKey()) {
      if (text == nullptr) Refuse(mark, "a key must be text");
      return;
    }
    // A value on its key's line or below it: the key's line is where people look.
    document_.lines.emplace(Path(), Line(mark));
  }

  void TakeKey(const YAML::Mark& mark, bool quoted, const std::string& key) {
    const std::optional<Json> typed = TypePlainScalar(key);
    if (!quoted && typed && typed->is_boolean()) {
      Refuse(mark, "the key " + key + " means " + typed->dump() + " in YAML: quote it");
    }
    Frame& top = frames_.back();
    if (top.value.contains(key)) Refuse(mark, "the key " + Json(key).dump() + " is there twice");
    top.key = key;
    document_.lines.emplace(Path(), Line(mark));
  }

  void Open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Json empty) {
    CheckProperties(mark, tag, anchor);
    Begin(mark, nullptr);
    if (static_cast<int64_t>(frames_.size()) >= limits_.depth) {
      Refuse(mark,
             "is nested deeper than the " + std::to_string(limits_.depth) + " levels allowed");
    }
    frames_.push_back({std::move(empty), Path(), std::nullopt});
  }

  void Close() {
    Json value = std::move(frames_.back().value);
    frames_.pop_back();
    Attach(std::move(value));
  }

  void Attach(Json value) {
    if (frames_.empty()) {
      document_.root = std::move(value);
      return;
    }
    Frame& top = frames_.back();
    if (top.value.is_array()) {
      top.value.push_back(std::move(value));
    } else {
      top.value[*top.key] = std::move(value);
      top.key.reset();
    }
  }

  const YamlLimits& limits_;
  std::vector<YamlDocument> documents_;
  YamlDocument document_;
  std::vector<Frame> frames_;
  int64_t nodes_ = 0;
};

int LineOf(std::string_view text, size_t offset) {
  return 1 + static_cast<int>(
                 std::count(text.begin(), text.begin() + static_cast<int64_t>(offset), '\n'));
}

// The length of the UTF-8 sequence that `text` starts with; 0 if it starts with none (RFC 3629).
size_t SequenceLength(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continues = [&](size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead < 0x80U) return 1;
  if (lead >= 0xC2U && lead <= 0xDFU) return continues(1) ? 2 : 0;
  if (lead >= 0xE0U && lead <= 0xEFU) {
    const bool overlong = lead == 0xE0U && byte(1) < 0xA0U;
    const bool surrogate = lead == 0xEDU && byte(1) >= 0xA0U;
    return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead < 0xF0U || lead > 0xF4U) return 0;
  const bool overlong = lead == 0xF0U && byte(1) < 0x90U;
  const bool beyond = lead == 0xF4U && byte(1) >= 0x90U;
  return continues(1) && continues(2) && continues(3) && !overlong && !beyond ? 4 : 0;
}

std::optional<Problem> CheckText(std::string_view text, const YamlLimits& limits) {
  if (static_cast<int64_t>(text.size()) > limits.bytes) {
    return Problem{"", "has " + std::to_string(text.size()) + " bytes, but must have at most " +
                           std::to_string(limits.bytes)};
  }
  for (size_t i = 0; i < text.size();) {
    const size_t length = SequenceLength(text.substr(i));
    if (length == 0) return Problem{"", "is not valid UTF-8", LineOf(text, i)};
    if (text[i] == '\0') return Problem{"", "holds a NUL byte", LineOf(text, i)};
    i += length;
  }
  return std::nullopt;
}

// "spec.a[1].b" -> "spec.a[1]" -> "spec.a" -> "spec" -> "".
std::string Parent(const std::string& path) {
  const size_t cut = path.find_last_of(".[");
  return cut == std::string::npos ? "" : path.substr(0, cut);
}

}  // namespace

YamlResult ParseYaml(std::string_view text, const YamlLimits& limits) {
  YamlResult result;
  if (auto problem = CheckText(text, limits)) {
    result.problems.push_back(std::move(*problem));
    return result;
  }
  DocumentBuilder builder(limits);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Refusal& refusal) {
    result.problems.push_back(refusal.problem);
  } catch (const YAML::Exception& error) {
    result.problems.push_back({"", "is not valid YAML: " + error.msg, error.mark.line + 1});
  } catch (const std::exception& error) {
    result.problems.push_back({"", std::string("cannot be parsed as YAML: ") + error.what()});
  }
  result.documents = builder.Take();
  return result;
}

void AddLines(const YamlDocument& document, base::Problems& problems) {
  for (Problem& problem : problems) {
    std::string path = problem.path;
    while (problem.line == 0) {
      const auto found = document.lines.find(path);
      if (found != document.lines.end()) problem.line = found->second;
      if (path.empty()) break;
      path = Parent(path);
    }
  }
}

}  // namespace fairlap::api
