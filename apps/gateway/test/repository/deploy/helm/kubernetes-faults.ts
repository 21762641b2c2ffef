import { ServiceMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1";
import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, PersistentVolumeClaim, Service } from "kubernetes-models/v1";
import type { Manifest } from "./render-chart.js";

const models = [
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
  ServiceMonitor,
];

/**
 * The faults of a manifest by the schema that Kubernetes publishes for its kind. A field that the schema does not have
 * is a fault as well: the validator reads each field that it knows, so the ones that it never reads are unknown.
 */
export function kubernetesFaults(manifest: Manifest): string[] {
  const model = models.find(
    ({ apiVersion, kind }) => apiVersion === manifest.apiVersion && kind === manifest.kind,
  );
  if (model === undefined) return [`There is no schema of ${manifest.apiVersion} ${manifest.kind}.`];
  const unread = new Set<string>();
  try {
    model.prototype.validate.call(watch(manifest, manifest.kind, unread) as never);
  } catch (error) {
    return [`${manifest.kind}: ${String(error)}`];
  }
  return [...unread].map((path) => `${path} is not a field`);
}

/** The value, with the paths of its fields in `unread` until they are read. */
function watch(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const pathOf = (key: string) => `${path}.${key}`;
  const inner = new Map(
    Object.entries(value).map(([key, field]) => {
      if (!Array.isArray(value)) unread.add(pathOf(key));
      return [key, watch(field, pathOf(key), unread)];
    }),
  );
  return new Proxy(value, {
    get(target, key, receiver) {
      if (typeof key !== "string" || !inner.has(key)) return Reflect.get(target, key, receiver);
      unread.delete(pathOf(key));
      return inner.get(key);
    },
  });
}
