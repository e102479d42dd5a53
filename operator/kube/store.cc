#include "operator/kube/store.h"

#include <utility>

#include "operator/kube/metadata.h"

namespace fairlap::kube {
namespace {

std::string KeyOf(const std::string& ns, const std::string& name) { return ns + "/" + name; }

std::string KeyOf(const base::Json& object) {
  return KeyOf(Metadata(object, "namespace"), Metadata(object, "name"));
}

}  // namespace

Store::Store(RunKeyOf run_key_of, OnChange on_change)
    : run_key_of_(std::move(run_key_of)), on_change_(std::move(on_change)) {}

void Store::Replace(std::vector<base::Json> objects) {
  std::map<std::string, Entry> entries;
  std::map<std::string, std::set<std::string>> names_of_run;
  for (base::Json& object : objects) {
    std::string key = KeyOf(object);
    std::optional<std::string> run_key = run_key_of_(object);
    if (run_key) names_of_run[*run_key].insert(key);
    entries[std::move(key)] = {std::make_shared<const base::Json>(std::move(object)),
                               std::move(run_key)};
  }
  std::set<std::string> concerned;
  for (const auto& [run_key, names] : names_of_run) concerned.insert(run_key);
  {
    const std::lock_guard lock(mutex_);
    entries_.swap(entries);
    names_of_run_.swap(names_of_run);
  }
  for (const auto& [run_key, names] : names_of_run) concerned.insert(run_key);  // the old ones
  for (const std::string& run_key : concerned) on_change_(run_key);
}

void Store::Put(base::Json object) {
  const std::string key = KeyOf(object);
  Entry entry{nullptr, run_key_of_(object)};
  entry.object = std::make_shared<const base::Json>(std::move(object));
  std::set<std::string> concerned;
  if (entry.run_key) concerned.insert(*entry.run_key);
  {
    const std::lock_guard lock(mutex_);
    Entry& kept = entries_[key];
    if (kept.run_key) concerned.insert(*kept.run_key);
    Unlink(key, kept.run_key);
    if (entry.run_key) names_of_run_[*entry.run_key].insert(key);
    std::swap(kept, entry);
  }
  for (const std::string& run_key : concerned) on_change_(run_key);
}

void Store::Remove(const base::Json& object) {
  Entry removed;
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(KeyOf(object));
    if (found == entries_.end()) return;
    removed = std::move(found->second);
    Unlink(found->first, removed.run_key);
    entries_.erase(found);
  }
  if (removed.run_key) on_change_(*removed.run_key);
}

void Store::Unlink(const std::string& key, const std::optional<std::string>& run_key) {
  if (!run_key) return;
  const auto names = names_of_run_.find(*run_key);
  names->second.erase(key);
  if (names->second.empty()) names_of_run_.erase(names);
}

Object Store::Find(const std::string& ns, const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(KeyOf(ns, name));
  return found == entries_.end() ? nullptr : found->second.object;
}

std::vector<Object> Store::OfRun(const std::string& run_key) const {
  const std::lock_guard lock(mutex_);
  std::vector<Object> objects;
  const auto names = names_of_run_.find(run_key);
  if (names == names_of_run_.end()) return objects;
  for (const std::string& key : names->second) objects.push_back(entries_.at(key).object);
  return objects;
}

std::vector<std::string> Store::RunKeys() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> keys;
  for (const auto& [run_key, names] : names_of_run_) keys.push_back(run_key);
  return keys;
}

size_t Store::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace fairlap::kube
