import { nameTarget } from "../../operations/named-target.js";
import type { ProbedTarget } from "../../operations/tryUpstream.js";
import { type Diagnosis, diagnose } from "../upstreams/space-verdict.js";
import type { DraftTarget } from "./model-draft.js";

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

function namesOf(targets: readonly DraftTarget[]): string[] {
  return [...new Set(targets.map(({ upstream, model }) => nameTarget({ upstream, model: model.trim() })))];
}

function presentNames(present: Entry | undefined): string[] {
  const targets = Array.isArray(present?.targets) ? (present.targets as readonly Entry[]) : [];
  return targets.map(({ upstream, model }) =>
    nameTarget({ upstream: String(upstream), model: String(model) }),
  );
}
