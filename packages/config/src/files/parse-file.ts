import { closestName } from "@model-gateway/domain/close-names";
import { isObject } from "@model-gateway/runtime/json";
import type { z } from "zod";
import { explainIssue, faultsOfIssue } from "../explain-issue.js";
import { type ConfigFile, configSchema } from "../schema/schema.js";
import type { Fault } from "./read-yaml.js";

interface ParsedFile {
  /** Undefined if there are faults. */
  readonly data: ConfigFile | undefined;
  readonly faults: readonly Fault[];
}

/**
 * Checks the file against the schema. A wrong `type` or `provider` leaves the schema without a rule for the rest of
 * that value; the rest is then checked as if the operator had written the likely value, so that every fault is reported
 * at once.
 */
export function parseFile(value: unknown): ParsedFile {
  const parsed = configSchema.safeParse(value, { error: explainIssue });
  if (parsed.success) return { data: parsed.data, faults: [] };
  const { issues } = parsed.error;
  const undecided = issues.flatMap(asUndecided);
  const issuesInside = undecided.length === 0 ? [] : findIssuesInside(value, undecided);
  return { data: undefined, faults: [...issues, ...issuesInside].flatMap(faultsOfIssue) };
}

/** A value whose deciding key is wrong. */
interface Undecided {
  /** The path of the deciding key. */
  readonly path: readonly PropertyKey[];
  readonly options: readonly string[];
}

function asUndecided(issue: z.core.$ZodIssue): Undecided[] {
  if (issue.code !== "invalid_union" || !("options" in issue) || !Array.isArray(issue.options)) return [];
  return [{ path: issue.path, options: issue.options.filter((option) => typeof option === "string") }];
}

/** Tries each option in all of these values at once: as many checks of the file as there are options. */
function findIssuesInside(value: unknown, undecided: readonly Undecided[]): z.core.$ZodIssue[] {
  const options = new Set(undecided.flatMap((one) => one.options));
  const byOption = new Map([...options].map((option) => [option, issuesWith(value, { option, undecided })]));
  return undecided.flatMap(({ path, options: own }) => {
    const written = valueAt(value, path);
    const closest = typeof written === "string" ? closestName(written, own) : undefined;
    const trials = (closest === undefined ? own : [closest]).map((option) =>
      (byOption.get(option) ?? []).filter((issue) => startsWith(issue.path, path.slice(0, -1))),
    );
    return trials.sort((one, other) => weigh(one) - weigh(other))[0] ?? [];
  });
}

/** A key that an option does not have says more against the option than a wrong value. */
function weigh(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce(
    (sum, issue) => sum + (issue.code === "unrecognized_keys" ? 2 * issue.keys.length : 1),
    0,
  );
}

function issuesWith(
  value: unknown,
  { option, undecided }: { option: string; undecided: readonly Undecided[] },
): readonly z.core.$ZodIssue[] {
  const trial: unknown = structuredClone(value);
  for (const { path, options } of undecided) {
    const parent = valueAt(trial, path.slice(0, -1));
    if (isObject(parent) && options.includes(option)) parent[String(path.at(-1))] = option;
  }
  return configSchema.safeParse(trial, { error: explainIssue }).error?.issues ?? [];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)];
    return isObject(inner) ? inner[String(key)] : undefined;
  }, value);
}

function startsWith(path: readonly PropertyKey[], start: readonly PropertyKey[]): boolean {
  return start.every((key, index) => path[index] === key);
}
