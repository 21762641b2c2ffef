import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { evaluateAlerts, type Rule, ruleTests } from "./evaluate-alerts.js";

const folder = fileURLToPath(new URL("../../../deploy/monitoring/", import.meta.url));
const read = (name: string): unknown => parse(readFileSync(`${folder}${name}`, "utf8"));

const samples = ruleTests.parse(read("alerts.test.yaml"));
const { groups } = read("alerts.yaml") as {
  readonly groups: readonly { readonly rules: readonly (Rule & { readonly alert: string })[] }[];
};
const rules = new Map(groups.flatMap((group) => group.rules).map((rule) => [rule.alert, rule]));

describe("the samples of the alert rules", () => {
  const cases = samples.tests.flatMap((one) =>
    one.alert_rule_test.map((expected) => ({ ...one, ...expected, series: one.input_series[0]?.series })),
  );

  test.each(cases)(
    "$alertname at $eval_time of $series",
    ({ alertname, eval_time, exp_alerts, ...given }) => {
      const rule = rules.get(alertname);
      if (rule === undefined) throw new Error(`There is no rule ${alertname}.`);
      const evaluationInterval = samples.evaluation_interval;

      expect(evaluateAlerts(rule, given, { evaluationInterval, at: eval_time })).toEqual(exp_alerts);
    },
  );
});

test("where promtool is installed, it finds the same", () => {
  const run = spawnSync("promtool", ["test", "rules", "alerts.test.yaml"], { cwd: folder, encoding: "utf8" });

  // Without promtool, the samples above were evaluated here alone.
  expect(run.error === undefined ? run.status : 0, run.stdout).toBe(0);
});
