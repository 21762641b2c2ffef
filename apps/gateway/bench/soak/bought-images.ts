import type { ChildProcess } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { ask } from "../processes.js";
import { soakAdminKey } from "../rivals/gateway.js";
import { send } from "./attacks/attack.js";
import { batchesOfFile } from "./attacks/batches.js";

/** Images that the upstream sold, beside those that the ledger has. */
export interface BoughtImages {
  readonly sold: number;
  readonly inLedger: number;
  /** Requests in the ledger whose cost is not known. Each is seen, and may have bought some. */
  readonly unpriced: number;
  /** Prompts that were bought more often than callers asked for them. */
  readonly boughtTwice: readonly string[];
}

/** Waits until batches have ended and the ledger has all of it, as long as that may take. */
export async function countBought(
  upstream: ChildProcess,
  port: number,
  waitMs: number,
): Promise<BoughtImages> {
  const end = performance.now() + waitMs;
  for (;;) {
    const before = await countOnce(upstream, port);
    await setTimeout(3000);
    const after = await countOnce(upstream, port);
    const isOver = before.sold === after.sold && after.inLedger === after.sold;
    if (isOver || performance.now() > end) return after;
  }
}

async function countOnce(upstream: ChildProcess, port: number): Promise<BoughtImages> {
  const prompts = (await ask(upstream, "count images")) as ReadonlyMap<string, number>;
  const usage = await send(
    { port, key: soakAdminKey },
    { path: "/admin/v1/usage?group_by=model&model=bought" },
  );
  const { data } = JSON.parse(usage.body.toString()) as {
    data: { images: number; unpriced_requests: number }[];
  };
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  return {
    sold: sum([...prompts.values()]),
    inLedger: sum(data.map(({ images }) => images)),
    unpriced: sum(data.map(({ unpriced_requests }) => unpriced_requests)),
    boughtTwice: [...prompts].filter(([prompt, count]) => count > wanted(prompt)).map(([prompt]) => prompt),
  };
}

function wanted(prompt: string): number {
  if (prompt.startsWith("batch")) return batchesOfFile;
  return prompt.startsWith("unread") ? 10 : 1;
}
