import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { loadDeployed, unknownVariables } from "./environment.js";

const folder = join(import.meta.dirname, "../../../deploy/kubernetes");
const readYaml = (name: string) => parse(readFileSync(join(folder, name), "utf8"));

/** Kubernetes' rules for the fields that are used. An unlisted field would be a typing error. */
const name = z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
const labels = z.record(
  z.string().regex(/^([a-z0-9.-]+\/)?[\w.-]{1,63}$/),
  z.string().regex(/^[\w.-]{0,63}$/),
);
const metadata = z.strictObject({ name, labels });
const selector = z.strictObject({ matchLabels: labels });
const port = z.union([z.int().min(1).max(65_535), name.max(15)]);
const quantity = z.string().regex(/^\d+(\.\d+)?(m|[KMGT]i?)?$/);
const protocol = z.enum(["TCP", "UDP"]);
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string().startsWith("/"), port }),
  periodSeconds: z.int().min(1),
  timeoutSeconds: z.int().min(1).optional(),
  failureThreshold: z.int().min(1),
});
const container = z.strictObject({
  name,
  image: z.string().regex(/^[\w.-]+\/[\w./-]+:[\w.-]+$/),
  ports: z.array(z.strictObject({ name: name.max(15), containerPort: z.int() })),
  env: z.array(
    z.union([
      z.strictObject({ name: z.literal("ON_STALL"), value: z.literal("exit") }),
      z.strictObject({
        name: z.string().regex(/^[A-Z_]+$/),
        valueFrom: z.strictObject({
          secretKeyRef: z.strictObject({ name, key: z.string().regex(/^[\w.-]+$/) }),
        }),
      }),
    ]),
  ),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  resources: z.strictObject({
    requests: z.strictObject({ cpu: quantity, memory: quantity }),
    limits: z.strictObject({ memory: quantity }),
  }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal("ALL")]) }),
  }),
  volumeMounts: z.array(
    z.strictObject({ name, mountPath: z.string().startsWith("/"), readOnly: z.boolean().optional() }),
  ),
});
const deploymentSchema = z.strictObject({
  apiVersion: z.literal("apps/v1"),
  kind: z.literal("Deployment"),
  metadata,
  spec: z.strictObject({
    selector,
    strategy: z.strictObject({
      type: z.literal("RollingUpdate"),
      rollingUpdate: z.strictObject({ maxUnavailable: z.int().min(0), maxSurge: z.int().min(1) }),
    }),
    template: z.strictObject({
      metadata: z.strictObject({ labels }),
      spec: z.strictObject({
        automountServiceAccountToken: z.boolean(),
        terminationGracePeriodSeconds: z.int(),
        securityContext: z.strictObject({
          runAsNonRoot: z.literal(true),
          runAsUser: z.int().min(1),
          runAsGroup: z.int().min(1),
          fsGroup: z.int().min(1),
          seccompProfile: z.strictObject({ type: z.literal("RuntimeDefault") }),
        }),
        topologySpreadConstraints: z.array(
          z.strictObject({
            maxSkew: z.int().min(1),
            topologyKey: z.string(),
            whenUnsatisfiable: z.enum(["ScheduleAnyway", "DoNotSchedule"]),
            labelSelector: selector,
          }),
        ),
        containers: z.tuple([container]),
        volumes: z.array(
          z.union([
            z.strictObject({ name, configMap: z.strictObject({ name }) }),
            z.strictObject({ name, emptyDir: z.strictObject({ sizeLimit: quantity }) }),
          ]),
        ),
      }),
    }),
  }),
});
const configMapSchema = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("ConfigMap"),
  metadata,
  data: z.strictObject({ "gateway.yaml": z.string() }),
});
const serviceSchema = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("Service"),
  metadata,
  spec: z.strictObject({
    selector: labels,
    ports: z.array(z.strictObject({ name, port: z.int(), targetPort: port })),
  }),
});
const autoscalerSchema = z.strictObject({
  apiVersion: z.literal("autoscaling/v2"),
  kind: z.literal("HorizontalPodAutoscaler"),
  metadata,
  spec: z.strictObject({
    scaleTargetRef: z.strictObject({ apiVersion: z.literal("apps/v1"), kind: z.literal("Deployment"), name }),
    minReplicas: z.int().min(2),
    maxReplicas: z.int().min(2),
    metrics: z.tuple([
      z.strictObject({
        type: z.literal("Resource"),
        resource: z.strictObject({
          name: z.literal("cpu"),
          target: z.strictObject({ type: z.literal("Utilization"), averageUtilization: z.int() }),
        }),
      }),
      z.strictObject({
        type: z.literal("Pods"),
        pods: z.strictObject({
          metric: z.strictObject({ name: z.string() }),
          target: z.strictObject({ type: z.literal("AverageValue"), averageValue: quantity }),
        }),
      }),
    ]),
    behavior: z.strictObject({
      scaleDown: z.strictObject({ stabilizationWindowSeconds: z.int().max(3600) }),
    }),
  }),
});
const budgetSchema = z.strictObject({
  apiVersion: z.literal("policy/v1"),
  kind: z.literal("PodDisruptionBudget"),
  metadata,
  spec: z.strictObject({ maxUnavailable: z.int().min(1), selector }),
});
const peers = z.array(
  z.union([
    z.strictObject({ namespaceSelector: z.strictObject({}), podSelector: selector.optional() }),
    z.strictObject({ ipBlock: z.strictObject({ cidr: z.cidrv4(), except: z.array(z.cidrv4()) }) }),
  ]),
);
const policyPorts = z.array(z.strictObject({ protocol, port }));
const policySchema = z.strictObject({
  apiVersion: z.literal("networking.k8s.io/v1"),
  kind: z.literal("NetworkPolicy"),
  metadata,
  spec: z.strictObject({
    podSelector: selector,
    policyTypes: z.tuple([z.literal("Ingress"), z.literal("Egress")]),
    ingress: z.array(z.strictObject({ from: peers, ports: policyPorts })),
    egress: z.array(z.strictObject({ to: peers, ports: policyPorts })),
  }),
});

const files = {
  "configmap.yaml": configMapSchema,
  "deployment.yaml": deploymentSchema,
  "service.yaml": serviceSchema,
  "horizontal-pod-autoscaler.yaml": autoscalerSchema,
  "pod-disruption-budget.yaml": budgetSchema,
  "network-policy.yaml": policySchema,
};

test("the kustomization names every manifest", () => {
  expect(readYaml("kustomization.yaml").resources).toEqual(Object.keys(files));
});

test.each(Object.entries(files))("%s follows Kubernetes' rules", (file, schema) => {
  expect(schema.safeParse(readYaml(file)).error?.issues ?? []).toEqual([]);
});

const deployment = deploymentSchema.parse(readYaml("deployment.yaml"));
const { template } = deployment.spec;
const [pod] = template.spec.containers;
const config = configMapSchema.parse(readYaml("configmap.yaml")).data["gateway.yaml"];

test("every selector finds the pods, and every port is theirs", () => {
  const service = serviceSchema.parse(readYaml("service.yaml"));
  const autoscaler = autoscalerSchema.parse(readYaml("horizontal-pod-autoscaler.yaml"));
  const selected = [
    deployment.spec.selector.matchLabels,
    service.spec.selector,
    budgetSchema.parse(readYaml("pod-disruption-budget.yaml")).spec.selector.matchLabels,
    policySchema.parse(readYaml("network-policy.yaml")).spec.podSelector.matchLabels,
  ];
  const ports = [pod.startupProbe, pod.livenessProbe, pod.readinessProbe].map(({ httpGet }) => httpGet.port);

  for (const one of selected) expect(template.metadata.labels).toMatchObject(one);
  expect(autoscaler.spec.scaleTargetRef.name).toBe(deployment.metadata.name);
  for (const named of [...ports, ...service.spec.ports.map(({ targetPort }) => targetPort)])
    expect(pod.ports.map((one) => one.name)).toContain(named);
});

test("volumes are mounted, and the data folder and the configuration are where the image has them", () => {
  const { volumes } = template.spec;

  expect(pod.volumeMounts.map((mount) => mount.name)).toEqual(volumes.map((volume) => volume.name));
  expect(pod.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(["/etc/model-gateway", "/data", "/tmp"]);
});

test("the configuration is valid, its variables are known, and a pod has the time to stop", () => {
  const loaded = loadDeployed(config);

  expect(loaded.trustedProxies).toEqual(["10.0.0.0/8"]);
  expect(
    unknownVariables(
      pod.env.map((one) => one.name),
      config,
    ),
  ).toEqual([]);
  expect(pod.env.map((one) => one.name)).toContain("GATEWAY_KEY");
  expect(template.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(loaded.limits.stopMs);
});

test("the autoscaler reads a metric that the gateway exports and the adapter serves", () => {
  const { metrics } = autoscalerSchema.parse(readYaml("horizontal-pod-autoscaler.yaml")).spec;
  const { name: metric } = metrics[1].pods.metric;
  const adapter = readYaml("../monitoring/prometheus-adapter.yaml");
  const guide = readFileSync(join(folder, "../../../docs/guides/monitoring.md"), "utf8");

  expect(adapter.rules.custom[0].name.as).toBe(metric);
  expect(guide).toContain(`| \`${metric}\``);
});
