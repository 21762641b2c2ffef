{{/* Refuses values that fit the schema but not each other. */}}
{{- define "model-gateway.check" -}}
{{- $shared := and .Values.postgresql.enabled .Values.redis.enabled -}}
{{- $several := or .Values.autoscaling.enabled (gt (int .Values.replicas) 1) -}}
{{- if and $several (not $shared) -}}
{{- fail "Several pods need postgresql.enabled and redis.enabled. For a single pod set replicas: 1 and autoscaling.enabled: false." -}}
{{- end -}}
{{- if and $several .Values.persistence.enabled -}}
{{- fail "persistence.enabled is for a single pod: a data folder belongs to one gateway." -}}
{{- end -}}
{{- if not (or .Values.postgresql.enabled .Values.persistence.enabled) -}}
{{- fail "Keys and the ledger would end with the pod. Set postgresql.enabled or persistence.enabled." -}}
{{- end -}}
{{- if and .Values.bucket.enabled (regexMatch "(?m)^images:" .Values.config) -}}
{{- fail "bucket.enabled adds the section images, which config has already. Remove one of them." -}}
{{- end -}}
{{- if and .Values.bucket.enabled (not .Values.postgresql.enabled) -}}
{{- fail "bucket.enabled needs postgresql.enabled, where the pods keep the secret that signs links." -}}
{{- end -}}
{{- if and .Values.serviceMonitor.enabled (not (hasKey .Values.secretEnv "GATEWAY_ADMIN_KEY")) -}}
{{- fail "serviceMonitor.enabled needs secretEnv.GATEWAY_ADMIN_KEY: /metrics needs the admin key." -}}
{{- end -}}
{{- if gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas) -}}
{{- fail "autoscaling.minReplicas is more than autoscaling.maxReplicas." -}}
{{- end -}}
{{- end -}}
