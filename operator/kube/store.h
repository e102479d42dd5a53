// What the API server holds of one kind, as far as a watcher has seen it.
#ifndef FAIRLAP_OPERATOR_KUBE_STORE_H_
#define FAIRLAP_OPERATOR_KUBE_STORE_H_

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lib/base/json.h"

namespace fairlap::kube {

using Object = std::shared_ptr<const base::Json>;

// "namespace/name" of the run that an object belongs to; nullopt for one of nobody's.
using RunKeyOf = std::function<std::optional<std::string>(const base::Json& object)>;

// Thread-safe. Every change tells `on_change` the keys of the runs concerned (before and after), in
// the calling thread and without a lock held.
class Store {
 public:
  using OnChange = std::function<void(const std::string& run_key)>;
  Store(RunKeyOf run_key_of, OnChange on_change);

  // A relist: swaps everything at once.
  void Replace(std::vector<base::Json> objects);
  void Put(base::Json object);
  void Remove(const base::Json& object);

  Object Find(const std::string& ns, const std::string& name) const;
  std::vector<Object> OfRun(const std::string& run_key) const;  // by name
  std::vector<std::string> RunKeys() const;                     // sorted, each once
  size_t size() const;

 private:
  struct Entry {
    Object object;
    std::optional<std::string> run_key;
  };
  // With the lock held.
  void Unlink(const std::string& key, const std::optional<std::string>& run_key);

  RunKeyOf run_key_of_;
  OnChange on_change_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;                       // by "namespace/name"
  std::map<std::string, std::set<std::string>> names_of_run_;  // run key -> keys of entries_
};

}  // namespace fairlap::kube

#endif  // FAIRLAP_OPERATOR_KUBE_STORE_H_
