import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "@model-gateway/test-suite/random";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { LedgerSnapshot } from "../../../src/usage/ledger/ledger.js";
import type { LedgerRow } from "../../../src/usage/ledger/ledger-store.js";

const script = join(import.meta.dirname, "recorder.mjs");

let folder: string;
let started: ChildProcess[];
/** The rows that the store, which is this process, has accepted, by id. */
let stored: Map<string, LedgerRow>;
/** The ids that the recorder reported as recorded. */
let reported: Set<string>;
/** The store's next reply. Without a reply, rows are lost or stored in silence. */
let nextReply: () => "accept" | "reject" | "lose" | "store without a reply";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ledger-crashes-"));
  started = [];
  stored = new Map();
  reported = new Set();
  nextReply = () => "accept";
});
afterEach(async () => {
  for (const child of started) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

function start(
  name: string,
  rows: number,
  { prefix = [], together = 1 }: { prefix?: readonly string[]; together?: number } = {},
) {
  const [command = process.execPath, ...before] = [...prefix, process.execPath];
  const child = spawn(command, [...before, script, folder, name, String(rows), String(together)], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  started.push(child);
  let rest = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const id of lines) reported.add(id);
  });
  const run: { readonly child: ChildProcess; readonly closed: Promise<unknown>; snapshot?: LedgerSnapshot } =
    {
      child,
      closed: once(child, "close"),
    };
  child.on("message", (message: { call: number; rows: LedgerRow[] } | { snapshot: LedgerSnapshot }) => {
    if ("snapshot" in message) {
      run.snapshot = message.snapshot;
      return;
    }
    const reply = nextReply();
    if (reply === "accept" || reply === "store without a reply")
      for (const row of message.rows) if (!stored.has(row.id)) stored.set(row.id, row);
    // The recorder may be dead by now, so a failed send is ignored.
    if (reply === "accept" || reply === "reject")
      child.send({ call: message.call, isAccepted: reply === "accept" }, () => undefined);
  });
  return run;
}

test("after twenty kills the store has every row that was reported as recorded, once", async () => {
  const random = createRandom();
  const replies = ["accept", "accept", "reject", "store without a reply", "lose"] as const;
  nextReply = () => random.pick(replies);
  for (let crash = 1; crash <= 20; crash += 1) {
    const run = start(`run${crash}`, 1_000_000);
    for (let heard = random.below(20); heard >= 0; heard -= 1)
      await Promise.race([once(run.child.stdout!, "data"), run.closed]);
    run.child.kill("SIGKILL");
    await run.closed;
  }
  nextReply = () => "accept";
  const last = start("last", 1);
  await last.closed;

  expect(last.snapshot).toMatchObject({ rows: 0, bytes: 0, dropped: 0, rejected: 0 });
  expect(reported.size).toBeGreaterThan(20);
  expect([...reported].filter((id) => !stored.has(id))).toEqual([]);
  // Each run may have recorded one row that it could not report before it was killed.
  expect(stored.size - reported.size).toBeLessThanOrEqual(20);
  const wrong = [...stored.values()].filter(
    ({ id, inputTokens }) => id.split("-")[1] !== String(inputTokens),
  );
  expect(wrong).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test.each([1, 20])(
  "on a full disk rows wait in memory and none is half written; %i at a time",
  async (together) => {
    // A file size limit behaves like a full disk: one write is cut short, and the next one fails.
    const prefix = ["sh", "-c", 'ulimit -f 8; exec "$0" "$@"'];
    const run = start("full", 100, { prefix, together });

    await run.closed;

    expect(run.snapshot).toMatchObject({ rows: 0, bytes: 0, heldRows: 0, corrupt: 0, rejected: 0 });
    expect(run.snapshot).toMatchObject({ shipped: 100, dropped: 0, lastFailure: expect.any(String) });
    expect(stored.size).toBe(100);
  },
);
