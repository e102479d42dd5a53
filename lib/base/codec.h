// Struct <-> JSON, driven by Describe (describe.h). Decoding reports every problem, not the first.
// Needs only the struct's description; never throws; caps are the caller's (see yaml.h).
#ifndef FAIRLAP_LIB_BASE_CODEC_H_
#define FAIRLAP_LIB_BASE_CODEC_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/describe.h"
#include "lib/base/json.h"

namespace fairlap::base {

// One thing that is wrong with a document.
struct Problem {
  std::string path;     // "spec.compute.tolerations[0].key"
  std::string message;  // what is wrong and what is allowed
  int line = 0;         // 1-based line in the source, 0 if it has none
};
using Problems = std::vector<Problem>;

enum class UnknownFields {
  kRefuse,  // manifests: a misspelt field must not be ignored
  kIgnore,  // documents written by another version of us
};

namespace codec {

// Checks of one scalar; the message says what is allowed.
void ReadInteger(const Json& json, const std::string& path, const Bounds& bounds, int64_t& out,
                 Problems& problems);
void ReadNumber(const Json& json, const std::string& path, double& out, Problems& problems);
void ReadBool(const Json& json, const std::string& path, bool& out, Problems& problems);
void ReadText(const Json& json, const std::string& path, const SizeRange& length,
              std::string_view pattern, std::string& out, Problems& problems);
void ReadDecimal(const Json& json, const std::string& path, std::string& out, Problems& problems);
void ReadIntOrString(const Json& json, const std::string& path, std::string_view pattern,
                     std::string& out, Problems& problems);
// The index of the name in `names`, or -1 after reporting.
int ReadEnum(const Json& json, const std::string& path, const std::string_view* names, size_t count,
             Problems& problems);
bool CheckObject(const Json& json, const std::string& path, Problems& problems);
bool CheckList(const Json& json, const std::string& path, const SizeRange& size,
               Problems& problems);
bool CheckMap(const Json& json, const std::string& path, const SizeRange& size, Problems& problems);
void ReportMissing(const std::string& path, std::string_view name, Problems& problems);
void ReportUnknown(const Json& json, const std::string& path,
                   const std::vector<std::string_view>& known, Problems& problems);
// True if the whole text matches the ECMAScript pattern, one of ours. Thread-safe.
bool Matches(const std::string& text, std::string_view pattern);
std::string Child(const std::string& path, std::string_view name);
std::string Item(const std::string& path, size_t index);

// What the templates below do with JSON values, compiled once: inlined into every field they made
// each file that reads or writes a report take half a minute.
const Json* Find(const Json& object, std::string_view name);  // nullptr if absent or null
std::vector<std::pair<std::string, const Json*>> Entries(const Json& object);
const Json& At(const Json& list, size_t index);
size_t Size(const Json& list);
Json NewObject();
Json NewList();
void Put(Json& object, std::string_view name, Json value);  // leaves out null
void Append(Json& list, Json value);
Json FromText(const std::string& text);
Json FromOptionalText(const std::string& text);  // null if empty
Json FromName(std::string_view name);
Json FromInteger(int64_t value);
Json FromNumber(double value);  // rounded; null if not finite
Json FromBool(bool value);

template <class M>
void Read(const Json& json, const std::string& path, const Bounds& bounds, M& out,
          UnknownFields unknown, Problems& problems);

template <class T>
class ObjectReader {
 public:
  ObjectReader(const Json& json, const std::string& path, T& out, UnknownFields unknown,
               Problems& problems)
      : json_(json), path_(path), out_(out), unknown_(unknown), problems_(problems) {}

  template <class M>
  [[gnu::noinline]] void operator()(M T::*member, std::string_view name, const Bounds& bounds) {
    known_.push_back(name);
    // An explicit null is an absent field, as it is for the API server.
    const Json* found = Find(json_, name);
    if (found == nullptr) {
      constexpr bool kMayBeAbsent = kIsOptional<M> || kIsList<M> || kIsMap<M>;
      if (!kMayBeAbsent && !bounds.has_default) ReportMissing(path_, name, problems_);
      return;
    }
    Read(*found, Child(path_, name), bounds, out_.*member, unknown_, problems_);
  }

  void Finish() {
    if (unknown_ == UnknownFields::kRefuse) ReportUnknown(json_, path_, known_, problems_);
  }

 private:
  const Json& json_;
  const std::string& path_;
  T& out_;
  UnknownFields unknown_;
  Problems& problems_;
  std::vector<std::string_view> known_;
};

template <class T>
void ReadObject(const Json& json, const std::string& path, T& out, UnknownFields unknown,
                Problems& problems) {
  if (!CheckObject(json, path, problems)) return;
  ObjectReader<T> reader(json, path, out, unknown, problems);
  T::Describe(reader);
  reader.Finish();
}

template <class M>
void ReadList(const Json& json, const std::string& path, const Bounds& bounds, M& out,
              UnknownFields unknown, Problems& problems) {
  if (!CheckList(json, path, bounds.size, problems)) return;
  Bounds item;
  item.size = bounds.item_size;
  item.pattern = bounds.item_pattern;
  item.value = bounds.value;
  for (size_t i = 0; i < Size(json); ++i) {
    Read(At(json, i), Item(path, i), item, out.emplace_back(), unknown, problems);
  }
}

template <class M>
void ReadMap(const Json& json, const std::string& path, const Bounds& bounds, M& out,
             UnknownFields unknown, Problems& problems) {
  if (!CheckMap(json, path, bounds.size, problems)) return;
  Bounds item;
  item.size = bounds.item_size;
  item.pattern = bounds.item_pattern;
  for (const auto& [key, value] : Entries(json)) {
    Read(*value, Child(path, key), item, out[key], unknown, problems);
  }
}

template <class M>
void Read(const Json& json, const std::string& path, const Bounds& bounds, M& out,
          UnknownFields unknown, Problems& problems) {
  if constexpr (kIsOptional<M>) {
    Read(json, path, bounds, out.emplace(), unknown, problems);
  } else if constexpr (kIsList<M>) {
    ReadList(json, path, bounds, out, unknown, problems);
  } else if constexpr (kIsMap<M>) {
    ReadMap(json, path, bounds, out, unknown, problems);
  } else if constexpr (Described<M>) {
    ReadObject(json, path, out, unknown, problems);
  } else if constexpr (std::is_enum_v<M>) {
    const int index = ReadEnum(json, path, kEnumNames<M>.data(), kEnumNames<M>.size(), problems);
    if (index >= 0) out = static_cast<M>(index);
  } else if constexpr (std::is_same_v<M, bool>) {
    ReadBool(json, path, out, problems);
  } else if constexpr (std::is_same_v<M, int64_t>) {
    ReadInteger(json, path, bounds, out, problems);
  } else if constexpr (std::is_same_v<M, double>) {
    ReadNumber(json, path, out, problems);
  } else if constexpr (std::is_same_v<M, Decimal>) {
    ReadDecimal(json, path, out.text, problems);
  } else if constexpr (std::is_same_v<M, IntOrString>) {
    ReadIntOrString(json, path, bounds.pattern, out.text, problems);
  } else {
    static_assert(std::is_same_v<M, std::string>, "a field type that the codec does not know");
    ReadText(json, path, bounds.size, bounds.pattern, out, problems);
  }
}

template <class M>
Json Write(const M& value);

template <class T>
class ObjectWriter {
 public:
  explicit ObjectWriter(const T& object) : object_(object), json_(NewObject()) {}

  template <class M>
  [[gnu::noinline]] void operator()(M T::*member, std::string_view name, const Bounds&) {
    const M& value = object_.*member;
    if constexpr (kIsOptional<M>) {
      if (!value) return;
    }
    if constexpr (kIsList<M> || kIsMap<M>) {
      if (value.empty()) return;
    }
    Put(json_, name, Write(value));
  }

  Json Take() { return std::move(json_); }

 private:
  const T& object_;
  Json json_;
};

// null for what must not be written: a double that is not finite.
template <class M>
Json Write(const M& value) {
  if constexpr (kIsOptional<M>) {
    return Write(*value);
  } else if constexpr (kIsList<M>) {
    Json list = NewList();
    for (const auto& item : value) Append(list, Write(item));
    return list;
  } else if constexpr (kIsMap<M>) {
    Json map = NewObject();
    for (const auto& [key, item] : value) Put(map, key, Write(item));
    return map;
  } else if constexpr (Described<M>) {
    ObjectWriter<M> writer(value);
    M::Describe(writer);
    return writer.Take();
  } else if constexpr (std::is_enum_v<M>) {
    return FromName(EnumName(value));
  } else if constexpr (std::is_same_v<M, double>) {
    return FromNumber(value);
  } else if constexpr (std::is_same_v<M, bool>) {
    return FromBool(value);
  } else if constexpr (std::is_same_v<M, int64_t>) {
    return FromInteger(value);
  } else if constexpr (std::is_same_v<M, Decimal> || std::is_same_v<M, IntOrString>) {
    return FromOptionalText(value.text);
  } else {
    return FromText(value);
  }
}

}  // namespace codec

// The document of a described struct. Absent optionals, empty lists and empty maps are left out;
// fields with defaults are written, so that a stored document says everything.
template <Described T>
Json Encode(const T& object) {
  return codec::Write(object);
}

// Fills `out` from `json`, appending what is wrong to `problems`; `path` names the root ("spec").
template <Described T>
void Decode(const Json& json, const std::string& path, T& out, Problems& problems,
            UnknownFields unknown = UnknownFields::kRefuse) {
  codec::ReadObject(json, path, out, unknown, problems);
}

}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_BASE_CODEC_H_
