#include "cli/models_table.h"

#include <cstdio>
#include <utility>

#include "lib/models/networks.h"

namespace fairlap::cli {
namespace {

using models::NetworkFacts;
using report::Cell;
using report::Table;

// A fact that the table of networks does not have is absent, not zero or empty.
Cell CountOf(int64_t count) { return count > 0 ? Cell(count) : Cell(); }
Cell TextOf(std::string_view text) { return text.empty() ? Cell() : Cell(std::string(text)); }
Cell ShortCountOf(int64_t count) { return count > 0 ? Cell(ShortCount(count)) : Cell(); }

std::string TaskName(models::Task task) {
  return task == models::Task::kDenoising ? "denoising" : "classification";
}

std::string InputText(const NetworkFacts& facts) {
  const std::string edge = std::to_string(facts.image_size);
  return std::to_string(facts.channels) + " x " + edge + " x " + edge;
}

Table ForPeople() {
  Table table;
  table.columns = {{"model", "Model"},
                   {"parameters", "Parameters"},
                   {"publishedParameters", "Published"},
                   {"multiplyAdds", "Multiply-adds"},
                   {"input", "Input"},
                   {"source", "Source"}};
  for (const NetworkFacts& facts : models::AllNetworks()) {
    table.rows.push_back({TextOf(facts.name), facts.parameters, TextOf(facts.published),
                          ShortCountOf(facts.multiply_adds), InputText(facts),
                          TextOf(facts.source)});
  }
  return table;
}

Table ForPrograms() {
  Table table;
  table.columns = {{"model", "Model"},
                   {"task", "Task"},
                   {"parameters", "Parameters"},
                   {"publishedParameters", "Published"},
                   {"multiplyAdds", "Multiply-adds"},
                   {"channels", "Channels"},
                   {"imageSize", "Image size"},
                   {"classes", "Classes"},
                   {"source", "Source"}};
  for (const NetworkFacts& facts : models::AllNetworks()) {
    table.rows.push_back({TextOf(facts.name), TaskName(facts.task), facts.parameters,
                          TextOf(facts.published), CountOf(facts.multiply_adds), facts.channels,
                          facts.image_size, CountOf(facts.classes), TextOf(facts.source)});
  }
  return table;
}

}  // namespace

Table MakeModelsTable(Reader reader) {
  return reader == Reader::kPerson ? ForPeople() : ForPrograms();
}

std::string ShortCount(int64_t count) {
  constexpr std::pair<double, const char*> kUnits[] = {{1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
  const auto value = static_cast<double>(count);
  for (const auto& [unit, name] : kUnits) {
    if (value < unit) continue;
    const double scaled = value / unit;
    char text[32];
    std::snprintf(text, sizeof text, "%.*f%s",
                  scaled < 10    ? 2
                  : scaled < 100 ? 1
                                 : 0,
                  scaled, name);
    return text;
  }
  return std::to_string(count);
}

}  // namespace fairlap::cli
