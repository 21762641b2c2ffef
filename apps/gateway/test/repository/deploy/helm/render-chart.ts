import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { parse, parseAllDocuments } from "yaml";
import { parseTemplate } from "./parse-template.js";
import { TemplateRunner } from "./run-template.js";

export const chartFolder = join(import.meta.dirname, "../../../../deploy/helm/model-gateway");
export const readChartFile = (name: string) => readFileSync(join(chartFolder, name), "utf8");

type Values = Record<string, unknown>;
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly [key: string]: any;
}

/** Kubernetes reads YAML 1.1, in which `off` is a boolean. */
const kubernetesYaml = { version: "1.1" } as const;

/**
 * The manifests of a release, in the order of their kinds. `HELM=helm` renders with Helm itself; else the templates are
 * run here, and any construct outside the chart's subset is an error.
 */
export function renderChart(values: Values, release = "gw"): Manifest[] {
  const rendered =
    process.env.HELM === undefined
      ? renderHere(values, release)
      : renderByHelm(process.env.HELM, values, release);
  return parseAllDocuments(rendered, kubernetesYaml)
    .flatMap((document): Manifest[] => {
      if (document.errors.length > 0) throw document.errors[0];
      return document.toJS() === null ? [] : [document.toJS()];
    })
    .sort((a, b) => a.kind.localeCompare(b.kind));
}

const validate = new Ajv({ allErrors: true, strict: true, strictTypes: false }).compile(
  JSON.parse(readChartFile("values.schema.json")),
);

function renderHere(given: Values, release: string): string {
  const values = merge(parse(readChartFile("values.yaml")), given);
  if (!validate(values))
    throw new Error(
      validate.errors
        ?.map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)
        .join("\n"),
    );
  const { name, version, appVersion } = parse(readChartFile("Chart.yaml"));
  const files = readdirSync(join(chartFolder, "templates")).sort();
  const parsed = files.map((file) => ({ file, ...parseTemplate(readChartFile(join("templates", file))) }));
  const runner = new TemplateRunner(new Map(parsed.flatMap(({ defined }) => [...defined])));
  const data = {
    Values: values,
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: release, Namespace: "models", Service: "Helm" },
  };
  return parsed
    .map(({ file, nodes }) => ({ file, text: runner.run(nodes, data) }))
    .filter(({ file, text }) => file.endsWith(".yaml") && text.trim() !== "")
    .map(({ text }) => `---\n${text}\n`)
    .join("");
}

function renderByHelm(helm: string, values: Values, release: string): string {
  const folder = mkdtempSync(join(tmpdir(), "helm-values-"));
  try {
    const file = join(folder, "values.yaml");
    writeFileSync(file, JSON.stringify(values));
    const args = ["template", release, chartFolder, "--namespace", "models", "--values", file];
    return execFileSync(helm, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Values as Helm merges them: maps by key, everything else replaced, and null removes a key. */
function merge(base: Values, given: Values): Values {
  const merged = { ...base };
  for (const [key, value] of Object.entries(given)) {
    if (value === null) delete merged[key];
    else merged[key] = isMap(value) && isMap(merged[key]) ? merge(merged[key], value) : value;
  }
  return merged;
}

function isMap(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
