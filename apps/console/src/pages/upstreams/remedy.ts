import { nameTarget } from "../../operations/named-target.js";
import type { Schemas } from "../../operations/schemas.js";
import { formatCount } from "../../parts/format.js";
import { stateWords } from "../target-state.js";

type AdminModel = Schemas["AdminModel"];
type AdminTarget = Schemas["AdminTarget"];

/** The ways to keep a model that nothing would serve. */
export interface Remedy {
  /** Why its other targets and its fallback do not help. Empty if it has neither. */
  readonly reasons: readonly string[];
  /** Targets that would serve it if they worked. */
  readonly repairs: readonly AdminTarget[];
  /** The target that the model has now. */
  readonly first: AdminTarget | undefined;
  /** The words of the link to the form. */
  readonly addition: string;
  /** Whether a fallback would do instead of a target. */
  readonly mayFallBack: boolean;
}

/** Another target helps only at another upstream, and one that does not work is repaired, not added. */
export function remedyFor({ type, targets, fallback }: AdminModel, down: ReadonlySet<string>): Remedy {
  const repairs = targets.filter(({ serving, upstream }) => !serving && !down.has(upstream));
  const upstreams = [...new Set(targets.map(({ upstream }) => upstream))];
  const isOnly = targets.length === 1;
  const reasons = [
    ...repairs.map((target) => {
      const state = stateWords[target.state ?? "open"] ?? target.state;
      return `${nameTarget(target)} ${isOnly ? "is" : "cannot take over: it is"} ${state}.`;
    }),
    ...(isOnly || repairs.length > 0
      ? []
      : [
          upstreams.length === 1
            ? `All ${targets.length} targets are at ${upstreams[0]}.`
            : `Its targets are at ${upstreams.join(" and ")}, which are all down here.`,
        ]),
    ...(fallback === null ? [] : [`Its fallback ${fallback} would not work either.`]),
  ];
  const wanted = isOnly ? "a second target" : "a target at another upstream";
  const mayFallBack = type === "image" && fallback === null;
  const addition = `Add ${wanted}${mayFallBack ? " or a fallback" : ""}`;
  return { reasons, repairs, first: targets[0], addition, mayFallBack };
}

/** The tier of the targets that take over, and the calls that they may get. */
export function describeTakeover(targets: readonly AdminTarget[]): string | undefined {
  const [first] = targets;
  if (first === undefined) return undefined;
  const sum = (read: (target: AdminTarget) => number | null) => {
    const limits = targets.map(read);
    return limits.includes(null) ? null : limits.reduce<number>((total, limit) => total + (limit ?? 0), 0);
  };
  const calls = sum(({ requests_per_minute }) => requests_per_minute);
  const tokens = sum(({ tokens_per_minute }) => tokens_per_minute);
  const parts = [
    first.tier > 1 && `tier ${first.tier}`,
    calls !== null && `at most ${formatCount(calls)} calls a minute`,
    tokens !== null && `at most ${formatCount(tokens)} tokens a minute`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : parts.join(", ");
}
