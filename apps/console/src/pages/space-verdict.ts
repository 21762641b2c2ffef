import { nameTarget } from "../operations/named-target.js";
import type { Schemas } from "../operations/schemas.js";
import type { Tone } from "../parts/badge.js";
import { listOf } from "../parts/format.js";

/** The number of texts that each target embeds. The texts themselves stay with the gateway: they are worth a kilobyte. */
export const comparedTexts = 16;
/** The number of images that a target embeds if it takes images. */
export const comparedImages = 4;

/** A target, and what the comparison with the others has shown. */
export interface Finding {
  readonly name: string;
  readonly verdict: Schemas["ComparedTarget"]["verdict"];
  readonly differsIn: Readonly<Schemas["ComparedTarget"]["differs_in"]>;
  /** Whether the model does not have it yet, so that no index has its vectors. */
  readonly isNew?: boolean;
}

export interface Diagnosis {
  /** `incomplete`: not all replied, and those that did do not differ. */
  readonly outcome: "safe" | "different" | "incomplete";
  readonly tone: Tone;
  /** One sentence: what the examination has shown, and what to do. */
  readonly verdict: string;
}

/** The result of a comparison, and the next step. Targets that did not reply are left out. */
export function judge(findings: readonly Finding[]): Diagnosis {
  const named = (...verdicts: Finding["verdict"][]) =>
    findings.filter(({ verdict }) => verdicts.includes(verdict)).map(({ name }) => name);
  const silent = named("no_reply");
  const responding = findings.filter(({ verdict }) => verdict !== "no_reply");
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
  const end = silent.length === 0 ? "." : `; ${listOf(silent)} did not reply, so examine again later.`;
  const different = named("different", "different_width");
  const [reference = first.name] = named("reference");
  if (different.length > 0) {
    const [verb, its, it] = different.length === 1 ? ["gives", "its", "it"] : ["give", "their", "them"];
    const isIndexed = findings.some(({ name, isNew }) => isNew !== true && different.includes(name));
    const inImagesAlone = findings.every(({ differsIn }) => !differsIn.includes("texts"));
    const where = inImagesAlone ? " for images, although the texts agree" : "";
    const rebuild = isIndexed ? `, and rebuild the indexes that have ${its} vectors` : "";
    return {
      outcome: "different",
      tone: "bad",
      verdict: `Do not mix: ${listOf(different)} ${verb} vectors of another space than ${reference}${where}, so give ${it} ${its} own model or correct the name there${rebuild}${end}`,
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

/** The same for a comparison of the gateway. */
export function judgeComparison({ targets }: Pick<Schemas["SpaceComparison"], "targets">): Diagnosis {
  return judge(
    targets.map((target) => ({
      name: nameTarget(target),
      verdict: target.verdict,
      differsIn: target.differs_in,
    })),
  );
}
