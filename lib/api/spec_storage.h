// spec.storage of a BenchmarkRun: where the data comes from, and where results go.
#ifndef FAIRLAP_LIB_API_SPEC_STORAGE_H_
#define FAIRLAP_LIB_API_SPEC_STORAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/api/field_bounds.h"

namespace fairlap::api {

enum class AccessMode { kReadWriteOnce, kReadOnlyMany, kReadWriteMany, kReadWriteOncePod };
enum class Staging { kDirect, kCopy };
enum class Cache { kCold, kWarm, kAsIs };

struct DataSource {
  std::optional<std::string> api_group;
  std::string kind;
  std::string name;
  template <class V>
  static void Describe(V& v) {
    v(&DataSource::api_group, "apiGroup", Text(1, 253, kDnsName));
    v(&DataSource::kind, "kind", Text(1, 63, "^[A-Za-z]+$"));
    v(&DataSource::name, "name", Text(1, 253, kDnsName));
  }
};

struct ClaimTemplate {
  std::optional<std::string> storage_class_name;  // absent: the cluster's default class
  IntOrString size;
  std::vector<AccessMode> access_modes;  // empty: ReadWriteOnce
  std::optional<DataSource> data_source;
  template <class V>
  static void Describe(V& v) {
    v(&ClaimTemplate::storage_class_name, "storageClassName", Text(1, 253, kDnsName));
    v(&ClaimTemplate::size, "size", QuantityText());
    v(&ClaimTemplate::access_modes, "accessModes", Items(0, 4));
    v(&ClaimTemplate::data_source, "dataSource", Plain());
  }
};

struct GenerateSpec {
  int64_t classes = 10;
  int64_t images = 1000;
  int64_t seed = 0;
  template <class V>
  static void Describe(V& v) {
    v(&GenerateSpec::classes, "classes", Integer(2, 100'000).Default());
    v(&GenerateSpec::images, "images", Integer(1, 100'000'000).Default());
    v(&GenerateSpec::seed, "seed", Integer(0, kMaxSafeInteger).Default());
  }
};

// Exactly one: how a templated claim is filled, once, outside the clock.
struct PopulateSpec {
  std::optional<std::string> from_claim;
  std::optional<GenerateSpec> generate;
  template <class V>
  static void Describe(V& v) {
    v(&PopulateSpec::from_claim, "fromClaim", Text(1, 253, kDnsName));
    v(&PopulateSpec::generate, "generate", Plain());
  }
};

// Exactly one of claimName, claimTemplate and profile; populate goes with claimTemplate.
struct DataVolume {
  std::optional<std::string> claim_name;
  std::optional<ClaimTemplate> claim_template;
  std::optional<std::string> profile;
  std::optional<PopulateSpec> populate;
  template <class V>
  static void Describe(V& v) {
    v(&DataVolume::claim_name, "claimName", Text(1, 253, kDnsName));
    v(&DataVolume::claim_template, "claimTemplate", Plain());
    v(&DataVolume::profile, "profile", Text(1, 63, kDnsLabel));
    v(&DataVolume::populate, "populate", Plain());
  }
};

struct EmptyDir {
  std::optional<IntOrString> size_limit;
  template <class V>
  static void Describe(V& v) {
    v(&EmptyDir::size_limit, "sizeLimit", QuantityText());
  }
};

// Exactly one.
struct ScratchVolume {
  std::optional<EmptyDir> empty_dir;
  std::optional<ClaimTemplate> claim_template;
  std::optional<std::string> profile;
  template <class V>
  static void Describe(V& v) {
    v(&ScratchVolume::empty_dir, "emptyDir", Plain());
    v(&ScratchVolume::claim_template, "claimTemplate", Plain());
    v(&ScratchVolume::profile, "profile", Text(1, 63, kDnsLabel));
  }
};

struct ResultsVolume {
  std::string claim_name;
  template <class V>
  static void Describe(V& v) {
    v(&ResultsVolume::claim_name, "claimName", Text(1, 253, kDnsName));
  }
};

struct StorageSpec {
  std::optional<DataVolume> data;  // required unless the data set is synthetic
  Staging staging = Staging::kDirect;
  std::optional<ScratchVolume> scratch;  // where staging: copy copies to
  Cache cache = Cache::kAsIs;
  std::optional<ResultsVolume> results;

  template <class V>
  static void Describe(V& v) {
    v(&StorageSpec::data, "data", Plain());
    v(&StorageSpec::staging, "staging", Plain().Default());
    v(&StorageSpec::scratch, "scratch", Plain());
    v(&StorageSpec::cache, "cache", Plain().Default());
    v(&StorageSpec::results, "results", Plain());
  }
};

}  // namespace fairlap::api

namespace fairlap::base {
using std::string_view_literals::operator""sv;
template <>
inline constexpr std::array kEnumNames<api::AccessMode> = {"ReadWriteOnce"sv, "ReadOnlyMany"sv,
                                                           "ReadWriteMany"sv, "ReadWriteOncePod"sv};
template <>
inline constexpr std::array kEnumNames<api::Staging> = {"direct"sv, "copy"sv};
template <>
inline constexpr std::array kEnumNames<api::Cache> = {"cold"sv, "warm"sv, "asIs"sv};
}  // namespace fairlap::base

#endif  // FAIRLAP_LIB_API_SPEC_STORAGE_H_
