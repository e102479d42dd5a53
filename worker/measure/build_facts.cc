#include "worker/measure/build_facts.h"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>

#include "fairlap_build_facts.h"

namespace fairlap::measure {
namespace {

constexpr size_t Align(size_t size) { return (size + 3) & ~size_t{3}; }

std::string Hex(const unsigned char* bytes, size_t count) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

// The GNU build id among the ELF notes of one segment, or "".
std::string BuildIdIn(const unsigned char* notes, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    const size_t length = sizeof note + Align(note.n_namesz) + Align(note.n_descsz);
    if (length > size) break;
    const bool is_gnu = note.n_namesz == sizeof ELF_NOTE_GNU &&
                        std::memcmp(notes + sizeof note, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0;
    if (is_gnu && note.n_type == NT_GNU_BUILD_ID) {
      return Hex(notes + sizeof note + Align(note.n_namesz), note.n_descsz);
    }
    notes += length;
    size -= length;
  }
  return "";
}

int FindBuildId(dl_phdr_info* object, size_t, void* out) {
  std::string& build_id = *static_cast<std::string*>(out);
  for (int i = 0; i < object->dlpi_phnum && build_id.empty(); ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    build_id =
        BuildIdIn(reinterpret_cast<const unsigned char*>(object->dlpi_addr + segment.p_vaddr),
                  segment.p_memsz);
  }
  return 1;  // the first object is the program itself
}

}  // namespace

BuildFacts ObserveBuildFacts() {
  std::string build_id;
  dl_iterate_phdr(FindBuildId, &build_id);
  return BuildFacts{
      .version = FAIRLAP_VERSION,
      .build_id = build_id.empty() ? "unknown" : build_id,
      .git_revision = FAIRLAP_GIT_REVISION,
      .build_type = FAIRLAP_BUILD_TYPE,
      .compiler = FAIRLAP_COMPILER,
      .sanitizers = FAIRLAP_SANITIZERS,
  };
}

std::vector<std::string> BuildWarnings(const BuildFacts& facts) {
  std::vector<std::string> warnings;
  if (facts.build_type != "Release" && facts.build_type != "RelWithDebInfo") {
    warnings.push_back("a " + (facts.build_type.empty() ? "debug" : facts.build_type) +
                       " build: not a measurement");
  }
  if (!facts.sanitizers.empty()) {
    warnings.push_back("built with sanitizers (" + facts.sanitizers + "): not a measurement");
  }
  return warnings;
}

}  // namespace fairlap::measure
