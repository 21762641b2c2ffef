import type { Schemas } from "../../operations/schemas.js";
import { rankForCharts, rowsOf, type UsageRow } from "../usage/group-usage.js";

type UsageGroup = Schemas["UsageGroup"];

/** The series of failures that no API key had: doctor, `Try now`, playground, drift checks. */
export const internalName = "console and checks";

/** Room for it among the seven series with an own colour. */
const internalPlace = 6;

export interface ChartedUsage {
  /** The failures of each model without internal ones, and those as a separate series. */
  readonly failed: readonly UsageGroup[];
  /** One order for all charts of the page, so that a model has one colour. */
  readonly rows: readonly UsageRow[];
}

/**
 * Tells failures of operators' own trials apart from those of callers.
 *
 * @param internal The part of the groups that is not from API keys.
 */
export function chartUsage(groups: readonly UsageGroup[], internal: readonly UsageGroup[]): ChartedUsage {
  const idOf = ({ starts_at, model }: UsageGroup) => JSON.stringify([starts_at, model]);
  const own = new Map(internal.map((group) => [idOf(group), group.failed_requests]));
  const ofCallers = groups.map((group) => ({
    ...group,
    failed_requests: Math.max(0, group.failed_requests - (own.get(idOf(group)) ?? 0)),
  }));
  const ofConsole = internal.map((group) => ({ ...group, model: internalName, requests: 0 }));
  const failed = [...ofCallers, ...ofConsole].filter(({ failed_requests }) => failed_requests > 0);
  const rows = rankForCharts(rowsOf(ofCallers, "model", "requests"));
  const [console] = rowsOf(ofConsole, "model", "failed_requests").filter((row) => row.failed_requests > 0);
  return { failed, rows: console === undefined ? rows : rows.toSpliced(internalPlace, 0, console) };
}
