import { nameTarget } from "../../operations/named-target.js";
import type { Schemas } from "../../operations/schemas.js";
import { formatCount, plural } from "../../parts/format.js";
import { type Remedy, remedyFor } from "./remedy.js";

type AdminModel = Schemas["AdminModel"];
type AdminTarget = Schemas["AdminTarget"];

/**
 * The effect on one model. `fallback`: another model would serve its requests. `down`: nothing serves it now, whatever
 * happens to the upstreams.
 */
export interface Rehearsed {
  readonly id: string;
  readonly type: AdminModel["type"];
  readonly outcome: "unchanged" | "moves" | "fallback" | "lost" | "down";
  /** The targets that would serve it: those that work, of the lowest tier left. */
  readonly served: readonly AdminTarget[];
  /** The model that these targets belong to, if it is another one. */
  readonly fallback: string | undefined;
  /** Those of them of which a call shows too little: it would be a first call, or the first for long. */
  readonly unproven: readonly AdminTarget[];
  /** The targets that do not work now. They would get no calls. */
  readonly failing: readonly AdminTarget[];
  /** The ways to keep a model that nothing would serve. */
  readonly remedy: Remedy | undefined;
  /** Whether requests that move would get vectors of the same space. Undefined for images, and if none move. */
  readonly vectors: "same" | "different" | "outdated" | "unknown" | undefined;
  /** Whether the first target left costs something else than the first one now. */
  readonly priceChanges: boolean;
}

/** Which target would serve each model if some upstreams were down. Nothing is sent. */
export function rehearse(
  models: readonly AdminModel[],
  down: ReadonlySet<string>,
  isUnproven: (target: AdminTarget) => boolean = () => false,
): Rehearsed[] {
  const byId = new Map(models.map((model) => [model.id, model]));
  return models.map((model) => {
    const now = serve(model, byId, new Set());
    const later = serve(model, byId, down);
    const isServed = later.served.length > 0;
    const outcome = compare(now, later);
    return {
      id: model.id,
      type: model.type,
      outcome,
      served: later.served,
      fallback: later.fallback,
      unproven: outcome === "moves" || outcome === "fallback" ? later.served.filter(isUnproven) : [],
      failing: model.targets.filter(({ serving }) => !serving),
      remedy: isServed ? undefined : remedyFor(model, down),
      vectors: outcome === "moves" ? compareVectors(model, [...now.served, ...later.served]) : undefined,
      priceChanges:
        isServed && JSON.stringify(now.served[0]?.pricing) !== JSON.stringify(later.served[0]?.pricing),
    };
  });
}

type Serving = Pick<Rehearsed, "served" | "fallback">;

function compare(now: Serving, later: Serving): Rehearsed["outcome"] {
  if (now.served.length === 0) return "down";
  if (later.served.length === 0) return "lost";
  const isSame =
    now.served.length === later.served.length && now.served.every((target) => later.served.includes(target));
  if (isSame) return "unchanged";
  return later.fallback === undefined ? "moves" : "fallback";
}

/** From the last comparison of the model's targets. */
function compareVectors(
  { type, comparison }: AdminModel,
  targets: readonly AdminTarget[],
): Rehearsed["vectors"] {
  if (type !== "embedding") return undefined;
  if (comparison === null) return "unknown";
  if (comparison.outdated) return "outdated";
  const compared = new Map(comparison.targets.map((target) => [nameTarget(target), target.verdict]));
  const spaces = targets.map((target) => spaceOf(nameTarget(target), compared));
  const known = new Set(spaces.filter((space) => space !== undefined));
  if (known.size > 1) return "different";
  return spaces.includes(undefined) ? "unknown" : "same";
}

/** Targets that agree with the reference share its space. Each of the others may have another one. */
function spaceOf(
  name: string,
  compared: ReadonlyMap<string, Schemas["ComparedTarget"]["verdict"]>,
): string | undefined {
  const verdict = compared.get(name);
  if (verdict === undefined || verdict === "no_reply") return undefined;
  return verdict === "different" || verdict === "different_width" ? name : "";
}

/** The targets of the model, or those of the first of its fallbacks that has one which works. */
function serve(model: AdminModel, byId: ReadonlyMap<string, AdminModel>, down: ReadonlySet<string>): Serving {
  const seen = new Set<string>();
  let next: AdminModel | undefined = model;
  while (next !== undefined && !seen.has(next.id)) {
    const served = firstTier(next, down);
    if (served.length > 0) return { served, fallback: next === model ? undefined : next.id };
    seen.add(next.id);
    next = byId.get(next.fallback ?? "");
  }
  return { served: [], fallback: undefined };
}

function firstTier({ targets }: AdminModel, down: ReadonlySet<string>): AdminTarget[] {
  const working = targets.filter(({ serving, upstream }) => serving && !down.has(upstream));
  const tier = Math.min(...working.map((target) => target.tier));
  return working.filter((target) => target.tier === tier);
}

/** The worst first: a model that would be lost is what one looks for. */
const severity: readonly Rehearsed["outcome"][] = ["lost", "down", "fallback", "moves", "unchanged"];

export function worstFirst(outcomes: readonly Rehearsed[]): Rehearsed[] {
  return outcomes.toSorted((one, other) => severity.indexOf(one.outcome) - severity.indexOf(other.outcome));
}

/** The outcome of all models in one sentence, such as `1 model would be unavailable, 2 stay unchanged.` */
export function summarize(outcomes: readonly Rehearsed[]): string {
  const parts = severity.flatMap((outcome) => {
    const count = outcomes.filter((one) => one.outcome === outcome).length;
    return count === 0 ? [] : [{ count, words: summaryWords[outcome](count) }];
  });
  const sentence = parts
    .map(({ count, words }, index) => `${index === 0 ? plural(count, "model") : formatCount(count)} ${words}`)
    .join(", ");
  return `${sentence}.`;
}

const summaryWords: Readonly<Record<Rehearsed["outcome"], (count: number) => string>> = {
  lost: () => "would be unavailable",
  down: (count) => `${count === 1 ? "is" : "are"} down already`,
  fallback: () => "would fall back to another model",
  moves: () => "would move to other targets",
  unchanged: (count) => (count === 1 ? "stays unchanged" : "stay unchanged"),
};

/** Requests of the last day, by model and by the upstream that served them or failed last. */
type Traffic = Pick<Schemas["UsageGroup"], "model" | "upstream" | "requests">;

/**
 * The share of requests that other targets or models would serve, of those that would get vectors of another space then,
 * and of those that would be lost, from 0 to 1. A model that moves loses only the upstreams that are down: its requests at
 * others stay there. Undefined without traffic.
 */
export function shareOfTraffic(
  outcomes: readonly Rehearsed[],
  traffic: readonly Traffic[],
  down: ReadonlySet<string>,
): { readonly moves: number; readonly mixed: number; readonly lost: number } | undefined {
  const byModel = new Map(outcomes.map((one) => [one.id, one]));
  const sum = (of: readonly Traffic[]) => of.reduce((total, { requests }) => total + requests, 0);
  const all = sum(traffic);
  if (all === 0) return undefined;
  const share = (fits: (one: Rehearsed, isAtDown: boolean) => boolean) => {
    const fitting = traffic.filter(({ model, upstream }) => {
      const one = byModel.get(model ?? "");
      return one !== undefined && fits(one, down.has(upstream ?? ""));
    });
    return sum(fitting) / all;
  };
  return {
    moves: share(({ outcome }, isAtDown) => isAtDown && (outcome === "moves" || outcome === "fallback")),
    mixed: share(({ vectors }, isAtDown) => isAtDown && vectors === "different"),
    lost: share(({ outcome }) => outcome === "lost"),
  };
}
