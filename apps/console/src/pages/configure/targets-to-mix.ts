import { nameTarget } from "../../operations/named-target.js";
import type { ProbedTarget } from "../../operations/tryUpstream.js";
import { listOf } from "../../parts/format.js";
import type { Diagnosis } from "../space-verdict.js";
import { diagnose } from "./diagnose.js";
import type { DraftTarget, ModelForm } from "./model-draft.js";

type Entry = Readonly<Record<string, unknown>>;

/** The knowledge about the targets of a form. */
interface Known {
  /** The last comparison, maybe of other targets. */
  readonly probed: readonly ProbedTarget[] | undefined;
  /** The model before the change. Undefined for a new one. */
  readonly present: Entry | undefined;
}

export interface TargetComparison extends Diagnosis {
  readonly probed: readonly ProbedTarget[];
}

/** The last comparison, for these targets alone. Undefined if one of them was not part of it. */
export function compareTargets(
  targets: readonly DraftTarget[],
  { probed = [], present }: Known,
): TargetComparison | undefined {
  const names = namesOf(targets);
  const found = names.flatMap((name) => probed.find((one) => one.name === name) ?? []);
  if (names.length < 2 || found.length < names.length) return undefined;
  const old = presentNames(present);
  return { ...diagnose(found.map((one) => ({ ...one, isNew: !old.includes(one.name) }))), probed: found };
}

/** A warning before and after a change that lets several targets serve an embedding model. */
export interface MixWarning {
  /** Whether their vectors are known to differ, so that the change needs a consent. */
  readonly isDifferent: boolean;
  readonly text: string;
}

/** Undefined if the targets were compared and may be mixed, or if the change adds none and nothing was compared. */
export function warnOfMix(
  { type, targets }: Pick<ModelForm, "type" | "targets">,
  known: Known & { readonly isComparing: boolean },
): MixWarning | undefined {
  const names = namesOf(targets);
  if (type !== "embedding" || names.length < 2) return undefined;
  const comparison = compareTargets(targets, known);
  if (comparison !== undefined) {
    const { outcome, verdict } = comparison;
    return outcome === "safe" ? undefined : { isDifferent: outcome === "different", text: verdict };
  }
  const old = presentNames(known.present);
  if (names.every((name) => old.includes(name))) return undefined;
  return {
    isDifferent: false,
    text: known.isComparing
      ? "The comparison of the targets is not finished."
      : `The vectors of ${listOf(names)} were not compared. Equal names and widths do not prove that they are of one space.`,
  };
}

function namesOf(targets: readonly DraftTarget[]): string[] {
  return [...new Set(targets.map(({ upstream, model }) => nameTarget({ upstream, model: model.trim() })))];
}

function presentNames(present: Entry | undefined): string[] {
  const targets = Array.isArray(present?.targets) ? (present.targets as readonly Entry[]) : [];
  return targets.map(({ upstream, model }) =>
    nameTarget({ upstream: String(upstream), model: String(model) }),
  );
}
