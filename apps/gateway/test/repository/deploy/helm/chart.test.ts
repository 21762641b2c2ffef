import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadDeployed, unknownVariables } from "../environment.js";
import { kubernetesFaults } from "./kubernetes-faults.js";
import { chartFolder, type Manifest, readChartFile, renderChart } from "./render-chart.js";

const [, example = ""] =
  /```yaml\n# my-values\.yaml\n([\s\S]*?)```/.exec(
    readFileSync(join(chartFolder, "../../../../docs/guides/deploy.md"), "utf8"),
  ) ?? [];
const everything = parse(readChartFile("ci/everything-values.yaml"));
const sets = {
  defaults: {},
  "a single pod": parse(readChartFile("ci/single-pod-values.yaml")),
  everything,
  "the guide": { ...parse(example), config: everything.config },
};
const of = (manifests: readonly Manifest[], kind: string) => {
  const found = manifests.find((manifest) => manifest.kind === kind);
  if (found === undefined) throw new Error(`There is no ${kind}.`);
  return found;
};
const containerOf = (manifests: readonly Manifest[]) =>
  of(manifests, "Deployment").spec.template.spec.containers[0];

describe.each(Object.entries(sets))("with the values of %s", (_name, values) => {
  const manifests = renderChart(values);

  test("the manifests follow the schemas of Kubernetes and of the Prometheus operator", () => {
    expect(manifests.flatMap(kubernetesFaults)).toEqual([]);
  });

  test("the configuration is valid, its variables are set, and a pod has the time to stop", () => {
    const config: string = of(manifests, "ConfigMap").data["gateway.yaml"];
    const { template } = of(manifests, "Deployment").spec;
    const names: string[] = containerOf(manifests).env.map((one: { name: string }) => one.name);

    const { limits } = loadDeployed(
      config,
      names.includes("DATABASE_URL") ? { DATABASE_URL: "postgres://gateway@postgres/gateway" } : {},
    );

    expect(template.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(limits.stopMs);
    expect(unknownVariables(names, config)).toEqual([]);
    expect(
      [...config.matchAll(/\$\{(\w+)\}/g)]
        .map(([, name]) => name)
        .filter((name) => !names.includes(name ?? "")),
    ).toEqual([]);
  });

  test("selectors find the pods, ports have names, and a secret is only referred to", () => {
    const { labels } = of(manifests, "Deployment").spec.template.metadata;
    const selectors = manifests.flatMap(({ kind, spec }) => {
      if (kind === "Service") return [spec.selector];
      return spec?.selector?.matchLabels ?? spec?.podSelector?.matchLabels ?? [];
    });
    const ports = containerOf(manifests).ports.map((port: { name: string }) => port.name);

    expect(selectors.length).toBeGreaterThan(1);
    for (const selector of selectors) expect(labels).toMatchObject(selector);
    expect(
      of(manifests, "Service").spec.ports.map((port: { targetPort: string }) => port.targetPort),
    ).toEqual(ports);
    expect(manifests.map(({ kind }) => kind)).not.toContain("Secret");
  });
});

test("an unknown field, a wrong type and a missing field are found", () => {
  const service = of(renderChart({}), "Service");
  const faultsWith = (spec: object) => kubernetesFaults({ ...service, spec: { ...service.spec, ...spec } });

  expect(faultsWith({ port: 80 })).toEqual(["Service.spec.port is not a field"]);
  expect(faultsWith({ ports: [{ port: "http" }] })).toEqual([expect.stringContaining("/spec/ports/0/port")]);
  expect(faultsWith({ ports: [{ name: "http" }] })).toEqual([expect.stringContaining("port")]);
});

test("each part is there only if it is enabled", () => {
  const kinds = (values: object) => renderChart({ ...values }).map(({ kind }) => kind);

  expect(kinds(sets.defaults)).toEqual([
    "ConfigMap",
    "Deployment",
    "HorizontalPodAutoscaler",
    "NetworkPolicy",
    "PodDisruptionBudget",
    "Service",
  ]);
  expect(kinds(sets["a single pod"])).toEqual([
    "ConfigMap",
    "Deployment",
    "PersistentVolumeClaim",
    "Service",
  ]);
  expect(kinds(sets.everything)).toEqual([
    "ConfigMap",
    "Deployment",
    "HorizontalPodAutoscaler",
    "Ingress",
    "NetworkPolicy",
    "PodDisruptionBudget",
    "Service",
    "ServiceMonitor",
  ]);
});

test("a release with the default values is the same as the manifests for kubectl", () => {
  const manifests = renderChart({ autoscaling: { requestsInFlight: 64 } }, "model-gateway");
  const folder = join(chartFolder, "../../kubernetes");
  const files: string[] = parse(readFileSync(join(folder, "kustomization.yaml"), "utf8")).resources;

  const expected = files.map((file) => parse(readFileSync(join(folder, file), "utf8")));

  expect(manifests.map(withoutHelm)).toEqual(
    expected.map(withoutHelm).sort((a, b) => a.kind.localeCompare(b.kind)),
  );
});

/** Without the labels, the order and the defaults that only one of the two has. */
function withoutHelm(manifest: Manifest): Manifest {
  const copy = JSON.parse(
    JSON.stringify(manifest, (key, value) => {
      if (key === "labels" || key === "matchLabels" || key === "selector")
        return Object.fromEntries(
          Object.entries(value).filter(
            ([name]) => !/^(helm\.sh\/chart|app\.kubernetes\.io\/(?!name))/.test(name),
          ),
        );
      return ["annotations", "imagePullPolicy"].includes(key) ? undefined : value;
    }),
  );
  if (copy.kind === "Service") copy.spec.type = "ClusterIP";
  if (copy.kind === "ConfigMap") copy.data["gateway.yaml"] = copy.data["gateway.yaml"].trim();
  if (copy.kind === "Deployment") copy.spec.template.spec.containers[0].env.sort(byName);
  return copy;
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name.localeCompare(b.name);
}

test("a changed configuration replaces the pods, and another changed value does not", () => {
  const checksum = (values: Record<string, unknown>) =>
    of(renderChart(values), "Deployment").spec.template.metadata.annotations["checksum/config"];

  expect(checksum({})).toMatch(/^[0-9a-f]{64}$/);
  expect(checksum({ service: { port: 81 } })).toBe(checksum({}));
  expect(checksum({ config: "logLevel: debug\n" })).not.toBe(checksum({}));
});

test("secrets come from the secrets that the values name", () => {
  const references = containerOf(renderChart(sets.everything)).env.flatMap(
    ({ name, valueFrom }: { name: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }) =>
      valueFrom === undefined ? [] : [`${name} ${valueFrom.secretKeyRef.name}/${valueFrom.secretKeyRef.key}`],
  );

  expect(references).toEqual([
    "DATABASE_URL postgres-app/uri",
    "REDIS_URL redis-app/url",
    "S3_ACCESS_KEY_ID gateway-secrets/s3-access-key-id",
    "S3_SECRET_ACCESS_KEY gateway-secrets/s3-secret-access-key",
    "GATEWAY_ADMIN_KEY gateway-secrets/admin-key",
    "GATEWAY_KEY gateway-secrets/gateway-key",
    "GATEWAY_KEY_SECRET gateway-secrets/key-secret",
    "OPENAI_API_KEY gateway-secrets/openai-api-key",
  ]);
});

test("a long name of a release still gives valid names", () => {
  const manifests = renderChart({}, `a${"-long".repeat(10)}`);

  expect(manifests.flatMap(kubernetesFaults)).toEqual([]);
  expect(Math.max(...manifests.map(({ metadata }) => metadata.name.length))).toBeLessThan(53);
});

test.each([
  ["an unknown value", { replica: 3 }, /replica/],
  ["an unknown value in a section", { redis: { url: "redis://redis" } }, /url/],
  ["a secret as a plain variable", { env: { OPENAI_API_KEY: "sk-1" } }, /OPENAI_API_KEY|propertyName/],
  ["a password in the place of a key of a secret", { postgresql: { key: "postgres://a:b@c/d" } }, /key/],
  ["a wrong type", { replicas: "3" }, /replicas/],
  ["no pods", { replicas: 0 }, /replicas/],
  ["a wrong amount of memory", { dataSizeLimit: "4 GB" }, /dataSizeLimit/],
  ["an ingress without a host", { ingress: { enabled: true } }, /hosts/],
  ["a bucket without a name", { bucket: { enabled: true, endpoint: "https://s3", region: "r" } }, /name/],
  ["an empty configuration", { config: "" }, /config/],
  [
    "several pods without Redis",
    { redis: { enabled: false } },
    /Several pods need postgresql.enabled and redis.enabled/,
  ],
  [
    "several pods on one volume",
    { persistence: { enabled: true } },
    /persistence.enabled is for a single pod/,
  ],
  [
    "a pod that loses its keys",
    { replicas: 1, autoscaling: { enabled: false }, postgresql: { enabled: false } },
    /Keys and the ledger would end with the pod/,
  ],
  [
    "two sections for images",
    {
      config: "images: { store: disk }\n",
      bucket: { enabled: true, endpoint: "https://s3", name: "b", region: "r" },
    },
    /bucket.enabled adds the section images/,
  ],
  [
    "a bucket without PostgreSQL",
    {
      ...sets["a single pod"],
      bucket: { enabled: true, endpoint: "https://s3", name: "b", region: "r" },
    },
    /bucket.enabled needs postgresql.enabled/,
  ],
  [
    "metrics without the admin key",
    { serviceMonitor: { enabled: true }, secretEnv: { GATEWAY_ADMIN_KEY: null } },
    /serviceMonitor.enabled needs secretEnv.GATEWAY_ADMIN_KEY/,
  ],
  ["more pods at least than at most", { autoscaling: { minReplicas: 11 } }, /minReplicas is more than/],
])("%s is refused", (_what, values, message) => {
  expect(() => renderChart(values)).toThrow(message);
});

test("the schema has exactly the values of values.yaml", () => {
  const { properties, definitions } = JSON.parse(readChartFile("values.schema.json"));
  const follow = (schema: { $ref?: string }) =>
    schema.$ref === undefined ? schema : definitions[schema.$ref.split("/").at(-1) ?? ""];
  const inSchema = Object.entries<{ $ref?: string; properties?: object }>(properties).flatMap(
    ([name, schema]) => {
      const fields = follow(schema).properties;
      return fields === undefined ? [name] : Object.keys(fields).map((field) => `${name}.${field}`);
    },
  );
  const inValues = Object.entries(parse(readChartFile("values.yaml"))).flatMap(([name, value]) => {
    const hasFields = follow(properties[name] ?? {}).properties !== undefined;
    return hasFields ? Object.keys(value as object).map((field) => `${name}.${field}`) : [name];
  });

  expect(inSchema.filter((name) => name !== "global").sort()).toEqual(inValues.sort());
});

test("the chart has the version of the gateway", () => {
  const { version, appVersion } = parse(readChartFile("Chart.yaml"));
  const gateway = JSON.parse(readFileSync(join(chartFolder, "../../../package.json"), "utf8"));

  expect([version, appVersion]).toEqual([gateway.version, gateway.version]);
});
