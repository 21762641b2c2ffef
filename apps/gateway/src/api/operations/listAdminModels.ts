import { isPattern, type Model, type Target, targetKey, type Upstream } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import type { TargetSnapshot } from "@model-gateway/scheduling/target-state";
import type { Handler } from "../../execution/handler.js";
import type { OperatorView } from "../../models/kinds/served-kind.js";
import { servedKindOf } from "../../models/kinds/served-kinds.js";
import type { Catalog } from "../catalog.js";
import { describeTargetFacts } from "../documents/ModelFacts.js";
import { describeStatus, isServingTarget, type JudgedModels, judgeModels } from "../documents/ModelHealth.js";
import { describeRates } from "../documents/PriceRate.js";
import { describeComparison, type ReadComparisons } from "../documents/SpaceComparison.js";
import { describeHealth } from "../documents/TargetState.js";
import { describeLimits } from "../documents/UsageLimits.js";
import type { ObserveState } from "./checkReadiness.js";

export interface AdminModelHandlerServices {
  readonly catalog: Catalog;
  readonly observe: ObserveState;
  readonly readComparisons: ReadComparisons;
  readonly upstreams: () => Iterable<Upstream>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function listAdminModels(services: AdminModelHandlerServices): Handler<"listAdminModels"> {
  const { catalog, observe, readComparisons, upstreams, now } = services;
  return async () => {
    const [state, comparisons] = await Promise.all([observe(), readComparisons()]);
    const { targets, shadows } = state;
    const judged = judgeModels(catalog.all(), state, now());
    const describeLast = (id: string) => {
      const comparison = comparisons.get(id);
      return comparison === undefined ? null : describeComparison(comparison);
    };
    const snapshots = new Map(targets.map((snapshot) => [targetKey(snapshot), snapshot]));
    const providers = new Map([...upstreams()].map(({ name, provider }) => [name, provider]));
    const describeTarget = (target: Target, snapshot: TargetSnapshot | undefined) => ({
      ...describeSettings(target, providers.get(target.upstream) ?? ""),
      pricing: describeRates(target.price),
      shutdown_date: target.end?.shutdownOn ?? null,
      successor: target.end?.successor ?? null,
      facts: describeTargetFacts(target),
      ...(snapshot === undefined
        ? neverCalled
        : { state: snapshot.state, ...describeHealth(snapshot, now()) }),
      serving: isServingTarget(snapshot),
    });
    const describe = (model: Model): Schemas["AdminModel"] => ({
      ...describeModel(model, catalog, judged),
      ...nothingElse,
      ...servedKindOf(model).describeForOperators(model, { shadows }),
      comparison: describeLast(model.id),
      targets: model.targets.map((target: Target) =>
        describeTarget(target, isPattern(model.id) ? undefined : snapshots.get(targetKey(target))),
      ),
    });
    return { body: { object: "list", data: catalog.all().map(describe), next_cursor: null } };
  };
}

const neverCalled = {
  state: null,
  proven_at: null,
  failing_since: null,
  failures: 0,
  latency: null,
  last_error: null,
  paused_until: null,
} as const;

/** Most kinds have only some of these. */
const nothingElse: OperatorView = { fallback: null, space: null, shadow: null };

function describeModel(
  model: Model,
  catalog: Catalog,
  judged: JudgedModels,
): Omit<Schemas["AdminModel"], "comparison" | "targets" | keyof OperatorView> {
  const described = catalog.describe(model);
  const found = judged.get(model.id);
  const { status, status_reason = null } = describeStatus(found, described);
  return {
    object: "admin.model",
    id: model.id,
    description: model.description ?? null,
    is_pattern: isPattern(model.id),
    discovered: model.discovered === true,
    aliases: [...(model.aliases ?? [])],
    type: model.type,
    operations: described.operations,
    pass_through: [...(model.passThrough ?? [])],
    ...servedKindOf(model).describe(model),
    strategy: model.strategy,
    shutdown_date: model.end?.shutdownOn ?? null,
    status,
    status_reason,
    health: found?.health ?? { failing_since: null, served_by: [] },
    limits: describeLimits(model.limits ?? {}),
  };
}

function describeSettings({ upstream, model, weight, tier, capacity }: Target, provider: string) {
  return {
    upstream,
    provider,
    model,
    weight,
    tier,
    max_concurrency: capacity.maxConcurrency ?? null,
    requests_per_minute: capacity.requestsPerMinute ?? null,
    tokens_per_minute: capacity.tokensPerMinute ?? null,
  };
}
