import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { type BuiltGateway, startBuiltGateway } from "../gateway/built.js";
import { testAdminKey } from "../gateway/test-gateway.js";

const folder = new URL("../../deploy/monitoring/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets?: readonly { readonly expr: string }[];
}
const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(read("dashboard.json"));
const rules: readonly { alert: string; expr: string; annotations: { summary: string } }[] = parse(
  read("alerts.yaml"),
).groups.flatMap((group: { rules: unknown }) => group.rules);

let gateway: BuiltGateway;
let types: Map<string, string>;
beforeAll(async () => {
  gateway = await startBuiltGateway(`
upstreams: { local: { provider: local } }
models: { sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] } }
`);
  const headers = { authorization: `Bearer ${testAdminKey}` };
  const text = await (await gateway.send("/metrics", { headers })).text();
  types = new Map(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
  );
});
afterAll(() => gateway.stop());

/** The labels of each metric, as the guide documents them. */
function documentedLabels(): Map<string, string[]> {
  const guide = readFileSync(new URL("../../../docs/guides/monitoring.md", import.meta.url), "utf8");
  const rows = [...guide.matchAll(/^\| `(gateway_\w+)`\s+\| \w+\s+\|([^|]*)\|/gm)];
  return new Map(
    rows.map(([, name = "", labels = ""]) => [
      name,
      [...labels.matchAll(/`(\w+)`/g)].map(([, one = ""]) => one),
    ]),
  );
}

/** The metric's name in the list of types: a histogram has three series. */
function exported(name: string): string | undefined {
  const histogram = name.replace(/_(bucket|count|sum)$/, "");
  if (types.get(histogram) === "histogram" && histogram !== name) return histogram;
  return types.has(name) ? name : undefined;
}

const metricNames = /\b(?:gateway|nodejs|process)_\w+/g;

test("every metric in the dashboard and the alerts is exported", () => {
  const expressions = [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...rules.map(({ expr }) => expr),
    read("prometheus-adapter.yaml"),
  ];

  const names = new Set(expressions.flatMap((expression) => expression.match(metricNames) ?? []));

  expect(names.size).toBeGreaterThan(20);
  expect([...names].filter((name) => exported(name) === undefined)).toEqual([]);
});

test("the dashboard shows every metric of the gateway that counts failures or waits", () => {
  const text = read("dashboard.json");
  const left = [...types.keys()].filter((name) => name.startsWith("gateway_") && !text.includes(name));

  // These are for a closer look.
  expect(left.sort()).toEqual([
    "gateway_background_seconds_total",
    "gateway_ledger_bytes",
    "gateway_ledger_corrupt_total",
    "gateway_ledger_deleted_total",
    "gateway_ledger_rejected_total",
    "gateway_ledger_shipped_total",
    "gateway_shadow_compared_total",
    "gateway_shadow_inputs_total",
    "gateway_shadow_neighbours_kept_total",
    "gateway_space_checks_total",
    "gateway_upstream_info",
  ]);
});

test("every label that is selected or grouped by belongs to the metric", () => {
  const labels = documentedLabels();
  const wrong = [...dashboard.panels.flatMap(({ targets = [] }) => targets), ...rules].flatMap(({ expr }) =>
    [...expr.matchAll(/\b(gateway_\w+)\{([^}]*)\}/g)].flatMap(([, name = "", selector = ""]) => {
      const known = labels.get(exported(name) ?? "") ?? [];
      const named = [...selector.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = ""]) => label);
      return named.filter((label) => !known.includes(label)).map((label) => `${name}: ${label}`);
    }),
  );

  expect(wrong).toEqual([]);
});

test("the panels have unique ids, fit the grid and do not overlap", () => {
  const { panels } = dashboard;
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  );

  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  expect(new Set(cells).size).toBe(cells.length);
});

test("every alert has a summary, and the guide Troubleshooting explains it", () => {
  const guide = readFileSync(new URL("../../../docs/guides/troubleshooting.md", import.meta.url), "utf8");

  expect(rules.filter(({ annotations }) => annotations.summary === "")).toEqual([]);
  expect(rules.map(({ alert }) => alert).filter((alert) => !guide.includes(`\`${alert}\``))).toEqual([]);
});
