import { compareSpaces, type SpaceComparison, type SpaceVector } from "@model-gateway/vector-check/spaces";
import type { Tone } from "../../parts/badge.js";

/** A target, and its vectors of the probe texts. Without vectors it did not reply. */
export interface Examined {
  readonly name: string;
  readonly vectors: readonly SpaceVector[] | undefined;
  /** Whether the model does not have it yet, so that no index has its vectors. */
  readonly isNew?: boolean;
}

export interface Finding {
  readonly name: string;
  /** Undefined for the target that the others are compared with, and for one that did not reply. */
  readonly comparison: SpaceComparison | undefined;
  readonly isReference: boolean;
}

export interface Diagnosis {
  readonly findings: readonly Finding[];
  /** `incomplete`: not all replied, and those that did do not differ. */
  readonly outcome: "safe" | "different" | "incomplete";
  readonly tone: Tone;
  /** One sentence: what the examination has shown, and what to do. */
  readonly verdict: string;
}

/** Compares the vectors of a model's targets, and says what to do. Targets that did not reply are left out. */
export function diagnose(examined: readonly Examined[]): Diagnosis {
  const responding = examined.filter(hasVectors);
  const [reference] = largestGroup(responding);
  const findings = examined.map((one) => ({
    name: one.name,
    isReference: one === reference,
    comparison:
      reference === undefined || one === reference || !hasVectors(one)
        ? undefined
        : compareSpaces(reference.vectors, one.vectors),
  }));
  return { findings, ...judge(findings, examined) };
}

function judge(findings: readonly Finding[], examined: readonly Examined[]): Omit<Diagnosis, "findings"> {
  const responding = examined.filter(hasVectors);
  const silent = examined.filter((one) => !hasVectors(one)).map(({ name }) => name);
  const [first] = responding;
  if (first === undefined)
    return {
      outcome: "incomplete",
      tone: "bad",
      verdict: "No target replied, so nothing was compared: bring them back, then examine again.",
    };
  if (responding.length === 1)
    return {
      outcome: "incomplete",
      tone: "warn",
      verdict: `Only ${first.name} replied, so there was nothing to compare it with: bring ${listOf(silent)} back, then examine again.`,
    };
  const named = (...verdicts: string[]) =>
    findings.filter(({ comparison }) => verdicts.includes(comparison?.verdict ?? "")).map(({ name }) => name);
  const end = silent.length === 0 ? "." : `; ${listOf(silent)} did not reply, so examine again later.`;
  const different = named("different", "different width");
  const reference = findings.find(({ isReference }) => isReference)?.name ?? first.name;
  if (different.length > 0) {
    const [verb, its, it] = different.length === 1 ? ["gives", "its", "it"] : ["give", "their", "them"];
    const isIndexed = examined.some(({ name, isNew }) => isNew !== true && different.includes(name));
    const rebuild = isIndexed ? `, and rebuild the indexes that have ${its} vectors` : "";
    return {
      outcome: "different",
      tone: "bad",
      verdict: `Do not mix: ${listOf(different)} ${verb} vectors of another space than ${reference}, so give ${it} ${its} own model or correct the name there${rebuild}${end}`,
    };
  }
  const outcome = silent.length === 0 ? "safe" : "incomplete";
  const close = named("close");
  if (close.length > 0)
    return {
      outcome,
      tone: "warn",
      verdict: `Safe to mix: ${listOf(close)} and ${reference} give one space with different rounding, so nothing needs to be done; only near equals may change places in a ranking${end}`,
    };
  return {
    outcome,
    tone: silent.length === 0 ? "good" : "warn",
    verdict: `Safe to mix: ${responding.length === 2 ? "both targets" : `${responding.length} targets`} give the same vectors, so nothing needs to be done${end}`,
  };
}

type Responding = Examined & { readonly vectors: readonly SpaceVector[] };

function hasVectors(one: Examined): one is Responding {
  return one.vectors !== undefined;
}

/** The most targets that agree, so that one odd target does not make all others look wrong. */
function largestGroup(responding: readonly Responding[]): readonly Responding[] {
  const groups: Responding[][] = [];
  for (const one of responding) {
    const group = groups.find(([leader]) => leader !== undefined && agree(leader, one));
    if (group === undefined) groups.push([one]);
    else group.push(one);
  }
  return groups.reduce<Responding[]>((best, group) => (group.length > best.length ? group : best), []);
}

function agree(one: Responding, other: Responding): boolean {
  const { verdict } = compareSpaces(one.vectors, other.vectors);
  return verdict === "same" || verdict === "close";
}

/** The names as a part of a sentence. */
export function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}
