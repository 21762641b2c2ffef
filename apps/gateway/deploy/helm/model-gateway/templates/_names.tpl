{{- define "model-gateway.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "model-gateway.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "model-gateway.labels" -}}
{{ include "model-gateway.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* The gateway.yaml: the config, and the bucket if there is one. */}}
{{- define "model-gateway.config" -}}
{{ .Values.config | trimSuffix "\n" }}
{{- if .Values.bucket.enabled }}
images:
  store: s3
  endpoint: {{ .Values.bucket.endpoint | quote }}
  bucket: {{ .Values.bucket.name | quote }}
  region: {{ .Values.bucket.region | quote }}
  prefix: {{ .Values.bucket.prefix | quote }}
  addressing: {{ .Values.bucket.addressing }}
  accessKeyId: "${S3_ACCESS_KEY_ID}"
  secretAccessKey: "${S3_SECRET_ACCESS_KEY}"
{{- end }}
{{- end -}}
