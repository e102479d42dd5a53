{{/* The name of everything that belongs to the release: its own, with the chart's where it says nothing. */}}
{{- define "fairlap.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 53 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 53 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What a Deployment and a Service choose the operator's pod by; may never change. */}}
{{- define "fairlap.selectorLabels" -}}
app.kubernetes.io/name: fairlap-operator
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "fairlap.labels" -}}
{{ include "fairlap.selectorLabels" . }}
app.kubernetes.io/part-of: fairlap
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "fairlap.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (include "fairlap.name" .) -}}
{{- end -}}

{{/* An image; the argument is [root, name, whole reference or ""]. */}}
{{- define "fairlap.image" -}}
{{- $root := index . 0 -}}{{- $image := $root.Values.image -}}
{{- $made := printf "%s:%s" (index . 1) ($image.tag | default $root.Chart.AppVersion) -}}
{{- with $image.registry -}}{{- $made = printf "%s/%s" . $made -}}{{- end -}}
{{- index . 2 | default $made -}}
{{- end -}}

{{/* All that the operator may do, and where each verb is used. */}}
{{- define "fairlap.rules" -}}
# delete: a run whose ttlSecondsAfterFinished is over.
- apiGroups: [fairlap.dev]
  resources: [benchmarkruns]
  verbs: [list, watch, delete]
- apiGroups: [fairlap.dev]
  resources: [benchmarkruns/status]
  verbs: [update]
# Children name the run as the owner that they block: clusters that enforce it ask for this.
- apiGroups: [fairlap.dev]
  resources: [benchmarkruns/finalizers]
  verbs: [update]
# get: whether an object that is there already is ours.
- apiGroups: [batch]
  resources: [jobs]
  verbs: [get, list, watch, create, delete]
- apiGroups: [""]
  resources: [pods]
  verbs: [list, watch]
# A worker writes its report to its log.
- apiGroups: [""]
  resources: [pods/log]
  verbs: [get]
# Each job's RunConfig, and its report.
- apiGroups: [""]
  resources: [configmaps]
  verbs: [get, create]
# A claim goes with its run: Kubernetes collects it.
- apiGroups: [""]
  resources: [persistentvolumeclaims]
  verbs: [get, list, watch, create]
# The cluster's words about a pod that does not start are repeated in the run's conditions.
- apiGroups: [""]
  resources: [events]
  verbs: [list, watch, create]
{{- end -}}
