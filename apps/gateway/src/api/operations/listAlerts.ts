import type { Schemas } from "@model-gateway/domain/operations";
import type { Handler } from "../../execution/handler.js";
import { describeKeys, type KeyHandlerServices, monthStart } from "../documents/AccessKey.js";
import { failingModels, judgeModels } from "../documents/ModelHealth.js";
import { describeComparison, type KnownComparison } from "../documents/SpaceComparison.js";
import { describeTargets, needsAttention } from "../documents/TargetState.js";
import type { ComparisonHandlerServices } from "./compareTargets.js";
import type { UpstreamHandlerServices } from "./listUpstreams.js";
import { type ConfigurationHandlerServices, describeRefusal } from "./retrieveConfiguration.js";

interface AlertHandlerServices
  extends KeyHandlerServices,
    Pick<UpstreamHandlerServices, "catalog" | "observe">,
    Pick<ComparisonHandlerServices, "readComparisons">,
    ConfigurationHandlerServices {}

/** A budget that is used this far is worth a word before it is spent. */
const budgetShareWarned = 0.8;
/** The keys that are looked at: those that have spent the most. */
const keysMax = 100;

export function listAlerts(services: AlertHandlerServices): Handler<"listAlerts"> {
  const { catalog, observe, readComparisons, now, configuration } = services;
  return async () => {
    const [state, comparisons, keys] = await Promise.all([
      observe(),
      readComparisons(),
      nearlySpent(services),
    ]);
    const targets = state.targets.filter((one) => needsAttention(one.state));
    const states = describeTargets(targets, { models: catalog.all(), now: now() });
    return {
      body: {
        object: "alerts",
        models: failingModels(judgeModels(catalog.all(), state, now())),
        targets: states,
        comparisons: [...comparisons.values()].filter(isDifferent).map(describeComparison),
        keys,
        configuration_refusal: describeRefusal(configuration().refusal),
      },
    };
  };
}

/** A verdict that is out of date causes no alert. */
function isDifferent({ verdict, isOutdated }: KnownComparison): boolean {
  return verdict === "different" && !isOutdated;
}

async function nearlySpent(services: KeyHandlerServices): Promise<Schemas["AccessKey"][]> {
  const { keys, fileKeys, now } = services;
  const { items } = await keys.list({
    limit: keysMax,
    status: "active",
    sort: "spent",
    order: "desc",
    fileKeys,
    spentSince: monthStart(now()),
  });
  const budgeted = items.filter(({ key: { budget } }) => budget !== undefined);
  const described = await describeKeys(budgeted, services);
  return described.filter(
    ({ budget, budget_usage }) =>
      budget !== null && budget_usage !== null && budget_usage.spent_usd >= budget.usd * budgetShareWarned,
  );
}
