import { useListKeys } from "../../operations/listKeys.js";
import { useRetrieveKey } from "../../operations/retrieveKey.js";
import type { Schemas } from "../../operations/schemas.js";
import { formatShare, formatUsd, plural } from "../../parts/format.js";
import { Meter } from "../../parts/meter.js";
import { Panel } from "../../parts/panel.js";
import { formatDate } from "../time-range.js";
import type { UsageView } from "./usage-view.js";

type AccessKey = Schemas["AccessKey"];

/** The most that one page of keys has. */
const keysMax = 1000;

/**
 * The keys whose budgets cover what the view shows: the month of an owner or of a key. Undefined where there is nothing
 * to compare, such as for one model of a key.
 */
export function useBudgetKeys({ range, filters }: UsageView): readonly AccessKey[] | undefined {
  const { owner, key, ...others } = filters;
  const isWhole = range.name === "month" && Object.keys(others).length === 0;
  const one = useRetrieveKey(isWhole ? key : undefined);
  const ofOwner = useListKeys(
    { search: owner ?? "", limit: keysMax },
    { isEnabled: isWhole && key === undefined && owner !== undefined },
  );
  if (!isWhole) return undefined;
  if (key !== undefined) return one.data && [one.data];
  // With a second page the sum would be too low.
  const pages = ofOwner.data?.pages;
  if (owner === undefined || pages === undefined || pages[0]?.next_cursor !== null) return undefined;
  return pages.flatMap(({ data }) => data).filter((listed) => listed.owner === owner);
}

/** The share of their monthly budgets that the keys have spent. The amount is the cost of the same month. */
export function OwnerBudget({ keys }: { readonly keys: readonly AccessKey[] }) {
  const { count, spentUsd, limitUsd, resetsAt } = sumBudgets(keys);
  if (count === 0) return null;
  const amount = `${formatUsd(spentUsd)} of ${formatUsd(limitUsd)}`;
  const whose = keys.length === 1 ? "" : ` ${count} of ${plural(keys.length, "key")} with a monthly budget.`;
  return (
    <Panel title="Spent of the budget this month">
      <p className="budget">
        <strong>{amount}</strong>
        <Meter share={spentUsd / limitUsd} label={amount} />
        <span className="quiet">
          {formatShare(spentUsd / limitUsd)}.{whose} The next month begins on {formatDate(resetsAt)}, UTC.
        </span>
      </p>
    </Panel>
  );
}

/** Of the keys with a monthly budget. */
export function sumBudgets(keys: readonly Pick<AccessKey, "budget" | "budget_usage">[]) {
  const monthly = keys.flatMap(({ budget, budget_usage: usage }) =>
    budget?.per === "month" && usage !== null ? [{ budget, usage }] : [],
  );
  return {
    count: monthly.length,
    spentUsd: monthly.reduce((sum, { usage }) => sum + usage.spent_usd, 0),
    limitUsd: monthly.reduce((sum, { budget }) => sum + budget.usd, 0),
    resetsAt: monthly[0]?.usage.resets_at ?? 0,
  };
}
