/** A process: callers and strangers who take all that they can get, each in a different way. */
import { setTimeout } from "node:timers/promises";
import { hostileKeys } from "../rivals/gateway.js";
import type { Attack, Target } from "./attacks/attack.js";
import { batches } from "./attacks/batches.js";
import { guesses, pipelinedRequests, slowHeads, slowUploads } from "./attacks/connections.js";
import { manifests } from "./attacks/manifests.js";
import { departures, unreadReplies } from "./attacks/purchases.js";

/** The order to this process. */
export interface AttackJob {
  readonly port: number;
  readonly ms: number;
}

export interface AttackReport {
  readonly name: string;
  readonly sent: number;
  /** How often each outcome came. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Outcomes that should not have come. */
  readonly faults: readonly string[];
}

/** One for each hostile key. */
const withKey: readonly Attack[] = [manifests, batches, unreadReplies, slowUploads, departures];
const ofStrangers: readonly Attack[] = [pipelinedRequests, slowHeads, guesses];

process.on("message", async ({ port, ms }: AttackJob) => {
  const ownTargets = withKey.map((attack, index) => ({
    attack,
    target: { port, key: hostileKeys[index] ?? "" },
  }));
  const all = [...ownTargets, ...ofStrangers.map((attack) => ({ attack, target: { port } }))];
  process.send?.(await Promise.all(all.map(({ attack, target }) => repeat(attack, target, ms))));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function repeat(attack: Attack, target: Target, ms: number): Promise<AttackReport> {
  const { name, atOnce, everyMs, expected } = attack;
  const outcomes: Record<string, number> = {};
  const running = new Set<Promise<void>>();
  const end = performance.now() + ms;
  let sent = 0;
  for (; performance.now() < end; await setTimeout(everyMs)) {
    if (running.size >= atOnce) continue;
    const one = attack
      .run(target, sent)
      // A gateway may cut off any of them.
      .catch((failure: NodeJS.ErrnoException) => (failure.code === "ECONNRESET" ? "closed" : String(failure)))
      .then((outcome) => {
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        running.delete(one);
      });
    running.add(one);
    sent += 1;
  }
  await Promise.all(running);
  return { name, sent, outcomes, faults: Object.keys(outcomes).filter((one) => !expected.test(one)) };
}
