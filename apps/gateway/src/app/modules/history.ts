import { targetKey } from "@model-gateway/domain/model";
import { clip, reasonLengthMax } from "@model-gateway/domain/request-failure";
import type { Siblings } from "@model-gateway/domain/siblings";
import { mergeHistories } from "@model-gateway/scheduling/call-history";
import type { TargetHistory } from "@model-gateway/scheduling/scheduler";
import type { ObserveHistory } from "../../api/operations/listUpstreams.js";
import { HistoryFile } from "../../storage/history-file.js";
import { targetsOf } from "../targets-of.js";
import type { Core } from "./core.js";
import { defineModule } from "./module.js";

/** A crash loses at most this much of the history. */
const storeEveryMs = 60_000;

/** The last 24 hours of every target. Each worker goes on with the counts that it has stored in the data folder. */
export const history = defineModule({
  name: "history",
  settings: { restart: ["dataDir"] },
  open: async ({ scheduler, secrets, current, worker, siblings, log }: Core, { dataDir }) => {
    const file = new HistoryFile(dataDir, worker.slot);
    scheduler.restoreHistory(await file.read());
    const clean = ({ failures, ...rest }: TargetHistory): TargetHistory => ({
      ...rest,
      failures: failures.map((failure) => ({
        ...failure,
        message: clip(secrets.hide(failure.message), reasonLengthMax),
      })),
    });
    // Without secrets, because it is stored: an upstream's message may quote any text.
    const own = () => scheduler.history(targetsOf(current.served)).map(clean);
    const store = () => file.write(own());
    const onFailure = (failure: unknown) =>
      log.warn({ err: failure }, "The last hours of the targets could not be stored.");
    return {
      services: { observeHistory: observeHistory(own, siblings) },
      sweeps: [{ task: "store_target_history", everyMs: storeEveryMs, run: store, onFailure }],
      close: () => store().catch(onFailure),
    };
  },
});

/**
 * The histories as all workers have seen them. A worker that does not report in time is left out.
 *
 * @param own The histories of this worker, which decide about the targets.
 */
export function observeHistory(
  own: () => readonly TargetHistory[],
  siblings: Siblings | undefined,
): ObserveHistory {
  if (siblings === undefined) return async () => own();
  siblings.answer("history", own);
  return async () => {
    // Workers of the same build have sent it. One that still starts reports nothing.
    const reports = ((await siblings.ask("history")) ?? []) as (readonly TargetHistory[] | undefined)[];
    const byKey = new Map<string, TargetHistory[]>();
    for (const history of reports.flatMap((report) => report ?? [])) {
      const key = targetKey(history);
      byKey.set(key, [...(byKey.get(key) ?? []), history]);
    }
    return own().map((history) => {
      const { upstream, model } = history;
      const reported = byKey.get(targetKey(history));
      return reported === undefined ? history : { upstream, model, ...mergeHistories(reported) };
    });
  };
}
