// Every condition type, condition reason and event reason. A reason says what happened,
// specifically enough to be searched for; scripts may rely on these texts.
#ifndef FAIRLAP_OPERATOR_PLAN_REASONS_H_
#define FAIRLAP_OPERATOR_PLAN_REASONS_H_

namespace fairlap::plan {

// Condition types. Reconciling and Stalled are kstatus'.
inline constexpr char kAccepted[] = "Accepted";
inline constexpr char kRunning[] = "Running";
inline constexpr char kComplete[] = "Complete";
inline constexpr char kFailed[] = "Failed";
inline constexpr char kReconciling[] = "Reconciling";
inline constexpr char kStalled[] = "Stalled";
inline constexpr char kDataReady[] = "DataReady";                  // with populate only
inline constexpr char kProgressAvailable[] = "ProgressAvailable";  // while a worker runs

// The state before anything else can be said.
inline constexpr char kPending[] = "Pending";

// Accepted.
inline constexpr char kSpecAccepted[] = "SpecAccepted";
inline constexpr char kInvalidSpec[] = "InvalidSpec";
inline constexpr char kNotAvailable[] = "NotAvailable";

// Running; the first five also explain Reconciling.
inline constexpr char kNothingStarted[] = "NothingStarted";
inline constexpr char kCreatingJob[] = "CreatingJob";
inline constexpr char kQueued[] = "Queued";      // for its queue's admission or for a free node
inline constexpr char kStarting[] = "Starting";  // bound to a node, its container not yet started
inline constexpr char kRepeatRunning[] = "RepeatRunning";
inline constexpr char kStoppingJob[] = "StoppingJob";
inline constexpr char kSuspended[] = "Suspended";
inline constexpr char kFinished[] = "Finished";

inline constexpr char kCreateRefused[] = "CreateRefused";  // quota, admission, permissions
inline constexpr char kPopulating[] = "Populating";

// DataReady and ProgressAvailable.
inline constexpr char kPopulated[] = "Populated";
inline constexpr char kPopulateFailed[] = "PopulateFailed";  // of Complete and Failed, too
inline constexpr char kWorkerAnswers[] = "WorkerAnswers";
inline constexpr char kWorkerSilent[] = "WorkerSilent";

// Complete and Failed.
inline constexpr char kInProgress[] = "InProgress";
inline constexpr char kRepeatsSucceeded[] = "RepeatsSucceeded";
inline constexpr char kRepeatsFailed[] = "RepeatsFailed";  // no counted repeat succeeded
inline constexpr char kNameConflict[] = "NameConflict";
inline constexpr char kDeadlineExceeded[] = "DeadlineExceeded";
inline constexpr char kQueueDeadlineExceeded[] = "QueueDeadlineExceeded";
inline constexpr char kInterrupted[] = "Interrupted";

// Stalled.
inline constexpr char kProgressing[] = "Progressing";

// Of an attempt, where neither the worker nor the cluster gave a usable one.
inline constexpr char kJobFailed[] = "JobFailed";
inline constexpr char kJobDeleted[] = "JobDeleted";
inline constexpr char kNeverStarted[] = "NeverStarted";
inline constexpr char kStartDeadlineExceeded[] = "StartDeadlineExceeded";

// Events that are no condition's reason.
inline constexpr char kJobCreated[] = "JobCreated";
inline constexpr char kRepeatStarted[] = "RepeatStarted";
inline constexpr char kRepeatSucceeded[] = "RepeatSucceeded";
inline constexpr char kRepeatFailed[] = "RepeatFailed";
inline constexpr char kRepeatNotStarted[] = "RepeatNotStarted";
inline constexpr char kRepeatInterrupted[] = "RepeatInterrupted";
inline constexpr char kFiguresLost[] = "FiguresLost";
inline constexpr char kResumed[] = "Resumed";

}  // namespace fairlap::plan

#endif  // FAIRLAP_OPERATOR_PLAN_REASONS_H_
