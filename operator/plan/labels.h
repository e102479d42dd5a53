// Every label, well-known key and field owner that our objects carry.
#ifndef FAIRLAP_OPERATOR_PLAN_LABELS_H_
#define FAIRLAP_OPERATOR_PLAN_LABELS_H_

namespace fairlap::plan {

inline constexpr char kNameLabel[] = "app.kubernetes.io/name";
inline constexpr char kNameValue[] = "fairlap-worker";
inline constexpr char kManagedByLabel[] = "app.kubernetes.io/managed-by";
inline constexpr char kManagedByValue[] = "fairlap-operator";
inline constexpr char kPartOfLabel[] = "app.kubernetes.io/part-of";
inline constexpr char kPartOfValue[] = "fairlap";
inline constexpr char kRunLabel[] = "fairlap.dev/run";
inline constexpr char kRepeatLabel[] = "fairlap.dev/repeat";
inline constexpr char kAttemptLabel[] = "fairlap.dev/attempt";
inline constexpr char kQueueLabel[] = "kueue.x-k8s.io/queue-name";
inline constexpr char kHostnameLabel[] = "kubernetes.io/hostname";

inline constexpr char kWorkerContainer[] = "worker";
inline constexpr char kMetricsPort[] = "metrics";

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_LABELS_H_
