import type { Schemas } from "../../operations/schemas.js";
import { rankForCharts, rowsOf, type UsageRow } from "../usage/group-usage.js";

type UsageGroup = Schemas["UsageGroup"];

/** The series of requests that no API key sent: doctor, `Try now`, playground, drift checks. */
export const internalName = "console and checks";

/** Room for it among the seven series with an own colour. */
const internalPlace = 6;

export interface ChartedUsage {
  /** The requests of each model without internal ones, and those as a separate series. */
  readonly requests: readonly UsageGroup[];
  /** Those of them that have failures. */
  readonly failed: readonly UsageGroup[];
  /** One order for all charts of the page, so that a model has one colour. */
  readonly rows: readonly UsageRow[];
}

/**
 * Tells operators' own trials and the gateway's checks apart from the requests of callers.
 *
 * @param internal The part of the groups that is not from API keys.
 */
export function chartUsage(groups: readonly UsageGroup[], internal: readonly UsageGroup[]): ChartedUsage {
  const idOf = ({ starts_at, model }: UsageGroup) => JSON.stringify([starts_at, model]);
  const own = new Map(internal.map((group) => [idOf(group), group]));
  const ofCallers = groups.flatMap((group) => {
    const { requests = 0, failed_requests = 0 } = own.get(idOf(group)) ?? {};
    const left = Math.max(0, group.requests - requests);
    const failed = Math.max(0, group.failed_requests - failed_requests);
    return left === 0 ? [] : [{ ...group, requests: left, failed_requests: failed }];
  });
  const ofConsole = internal.map((group) => ({ ...group, model: internalName }));
  const requests = [...ofCallers, ...ofConsole];
  const failed = requests.filter(({ failed_requests }) => failed_requests > 0);
  const rows = rankForCharts(rowsOf(ofCallers, "model", "requests"));
  const [console] = rowsOf(ofConsole, "model", "requests");
  return { requests, failed, rows: console === undefined ? rows : rows.toSpliced(internalPlace, 0, console) };
}
