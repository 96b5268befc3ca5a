{{- define "lectern.labels" -}}
app.kubernetes.io/name: lectern
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Call with (list $ COMPONENT). */}}
{{- define "lectern.selector" -}}
app.kubernetes.io/name: lectern
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "lectern.name" -}}
{{ printf "%s-%s" ((index . 0).Release.Name | trunc 50) (index . 1) }}
{{- end }}

{{- define "lectern.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end }}

{{/* What every pod has: no privileges, no token, a place for the pod. */}}
{{- define "lectern.pod" -}}
serviceAccountName: {{ .Release.Name }}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - {name: data, emptyDir: {}}
  - {name: tmp, emptyDir: {}}
{{- end }}

{{- define "lectern.container" -}}
image: {{ include "lectern.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: data, mountPath: /data}
  - {name: tmp, mountPath: /tmp}
{{- end }}

{{/* Call with (list NAME SECRET KEY). */}}
{{- define "lectern.secret" -}}
- name: {{ index . 0 }}
  valueFrom: {secretKeyRef: {name: {{ index . 1 }}, key: {{ index . 2 }}}}
{{- end }}

{{- define "lectern.backend" -}}
{{ include "lectern.secret" (list "DATABASE_URL" .Values.database.existingSecret "url") }}
- {name: LECTERN_STORAGE_URL, value: {{ .Values.storage.url | quote }}}
{{- range $name, $value := .Values.settings }}
- {name: {{ $name }}, value: {{ $value | toString | quote }}}
{{- end }}
{{- end }}

{{- define "lectern.metrics" -}}
{{- if .Values.metrics.enabled }}
{{ include "lectern.secret" (list "LECTERN_METRICS_TOKEN" .Values.secrets.existingSecret "metrics-token") }}
{{- end }}
{{- end }}

{{- define "lectern.bucket" -}}
{{- with .Values.storage.existingSecret }}
envFrom:
  - secretRef: {name: {{ . }}}
{{- end }}
{{- end }}

{{/* Call with (list $ COMPONENT VALUES). */}}
{{- define "lectern.autoscaler" -}}
{{- $root := index . 0 }}{{ $component := index . 1 }}{{ $values := index . 2 -}}
{{- if $values.autoscaling.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "lectern.name" (list $root $component) }}
  labels: {{- include "lectern.labels" $root | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "lectern.name" (list $root $component) }}
  minReplicas: {{ $values.autoscaling.minReplicas }}
  maxReplicas: {{ $values.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: {type: Utilization, averageUtilization: {{ $values.autoscaling.cpuPercent }}}
{{- end }}
{{- end }}

{{/* Call with (list $ COMPONENT VALUES): the head of a deployment, up to the spec of its pod. */}}
{{- define "lectern.deployment" -}}
{{- $root := index . 0 }}{{ $component := index . 1 }}{{ $values := index . 2 -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "lectern.name" (list $root $component) }}
  labels: {{- include "lectern.labels" $root | nindent 4 }}
spec:
  {{- if not $values.autoscaling.enabled }}
  replicas: {{ $values.replicas }}
  {{- end }}
  {{- with $values.strategy }}
  strategy: {{- toYaml . | nindent 4 }}
  {{- end }}
  selector:
    matchLabels: {{- include "lectern.selector" (list $root $component) | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "lectern.selector" (list $root $component) | nindent 8 }}
        {{- /* A pod starts again when its configuration changes. */}}
      annotations:
        checksum/values: {{ toJson $root.Values | sha256sum }}
    spec:
      {{- include "lectern.pod" $root | nindent 6 }}
{{- end }}
