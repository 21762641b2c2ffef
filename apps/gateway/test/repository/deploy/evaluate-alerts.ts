import { z } from "zod";

/** The form of `promtool test rules`, as far as the samples of the rules need it. */
export const ruleTests = z.strictObject({
  rule_files: z.array(z.string()),
  evaluation_interval: z.string(),
  tests: z.array(
    z.strictObject({
      interval: z.string(),
      input_series: z.array(z.strictObject({ series: z.string(), values: z.string() })),
      alert_rule_test: z.array(
        z.strictObject({
          eval_time: z.string(),
          alertname: z.string(),
          exp_alerts: z
            .array(
              z.strictObject({
                exp_labels: z.record(z.string(), z.string()),
                exp_annotations: z.record(z.string(), z.string()),
              }),
            )
            .default([]),
        }),
      ),
    }),
  ),
});

type RuleTest = z.infer<typeof ruleTests>["tests"][number];
type Labels = Readonly<Record<string, string>>;

export interface Rule {
  readonly expr: string;
  readonly for?: string | undefined;
  readonly labels: Labels;
  readonly annotations: Labels;
}

interface Series {
  readonly name: string;
  readonly labels: Labels;
  readonly values: readonly number[];
}

/** The alerts that fire at a time, as Prometheus would: of one form of rule, `sum by (…) (metric{…}) > n`. */
export function evaluateAlerts(
  rule: Rule,
  { interval, input_series }: Pick<RuleTest, "interval" | "input_series">,
  { evaluationInterval, at }: { readonly evaluationInterval: string; readonly at: string },
): RuleTest["alert_rule_test"][number]["exp_alerts"] {
  const holds = readExpression(rule.expr);
  const all = input_series.map(readSeries);
  const [end, step, waits] = [secondsOf(at), secondsOf(evaluationInterval), secondsOf(rule.for ?? "0s")];
  // Since when the expression holds, by the labels of the result.
  let since = new Map<string, number>();
  for (let time = 0; time <= end; time += step) {
    const sample = Math.floor(time / secondsOf(interval));
    since = new Map(holds(all, sample).map((labels) => [labels, since.get(labels) ?? time]));
  }
  return [...since]
    .filter(([, from]) => end - from >= waits)
    .map(([text]) => {
      const labels = JSON.parse(text) as Labels;
      const fill = (template: string) =>
        template.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, name) => labels[name] ?? "");
      return {
        exp_labels: { ...rule.labels, ...labels },
        exp_annotations: Object.fromEntries(
          Object.entries(rule.annotations).map(([name, text]) => [name, fill(text)]),
        ),
      };
    });
}

/** Reads an expression into a function that gives the labels, as JSON, for which it holds at a sample. */
function readExpression(expr: string): (all: readonly Series[], sample: number) => string[] {
  const form = /^sum by \(([\w, ]+)\) \((\w+)\{(\w+)(=~?)"([^"]*)"\}\) > (\d+)$/.exec(expr);
  if (form === null) throw new Error(`This form of expression is not evaluated here: ${expr}`);
  const [, by = "", name, label = "", operator, value = "", limit] = form;
  const matches = (text: string) =>
    operator === "=" ? text === value : new RegExp(`^(?:${value})$`).test(text);
  return (all, sample) => {
    const sums = new Map<string, number>();
    for (const { name: metric, labels, values } of all) {
      const found = values[sample];
      if (metric !== name || found === undefined || !matches(labels[label] ?? "")) continue;
      const group = JSON.stringify(Object.fromEntries(by.split(", ").map((one) => [one, labels[one] ?? ""])));
      sums.set(group, (sums.get(group) ?? 0) + found);
    }
    return [...sums].flatMap(([group, sum]) => (sum > Number(limit) ? [group] : []));
  };
}

/** `1x3` is 1, and three times 1 after it. */
function readSeries({ series, values }: RuleTest["input_series"][number]): Series {
  const [, name = "", inside = ""] = /^(\w+)\{(.*)\}$/.exec(series) ?? [];
  const labels = [...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = "", value = ""]) => [label, value]);
  const samples = values.split(" ").flatMap((part) => {
    const [value, more = "0"] = part.split("x");
    return Array.from({ length: Number(more) + 1 }, () => Number(value));
  });
  return { name, labels: Object.fromEntries(labels), values: samples };
}

function secondsOf(span: string): number {
  const [, count, unit] = /^(\d+)([sm])$/.exec(span) ?? [];
  if (count === undefined) throw new Error(`Not a span of seconds or minutes: ${span}`);
  return Number(count) * (unit === "m" ? 60 : 1);
}
