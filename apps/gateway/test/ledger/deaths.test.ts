import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { LedgerSnapshot } from "../../src/usage/ledger/ledger.js";
import type { LedgerRow } from "../../src/usage/ledger/ledger-store.js";

const script = join(import.meta.dirname, "recorder.mjs");

let folder: string;
let started: ChildProcess[];
/** The parent is the store: what it has, by id. */
let kept: Map<string, LedgerRow>;
let told: Set<string>;
let takes: () => "yes" | "no" | "silence" | "yes, in silence";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ledger-deaths-"));
  started = [];
  kept = new Map();
  told = new Set();
  takes = () => "yes";
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
    for (const id of lines) told.add(id);
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
    const answer = takes();
    if (answer.startsWith("yes"))
      for (const row of message.rows) if (!kept.has(row.id)) kept.set(row.id, row);
    // It may be dead by now, and nobody is told then.
    if (!answer.endsWith("silence"))
      child.send({ call: message.call, isTaken: answer === "yes" }, () => undefined);
  });
  return run;
}

test("a recorder that is killed twenty times has every row it told of in the store, once", async () => {
  const kinds = ["yes", "yes", "no", "yes, in silence", "silence"] as const;
  takes = () => kinds[Math.floor(Math.random() * kinds.length)] ?? "yes";
  for (let death = 1; death <= 20; death += 1) {
    const run = start(`run${death}`, 1_000_000);
    await Promise.race([once(run.child.stdout!, "data"), run.closed]);
    await setTimeout(Math.random() * 200);
    run.child.kill("SIGKILL");
    await run.closed;
  }
  takes = () => "yes";
  const last = start("last", 1);
  await last.closed;

  expect(last.snapshot).toMatchObject({ rows: 0, bytes: 0, dropped: 0, rejected: 0 });
  expect(told.size).toBeGreaterThan(20);
  expect([...told].filter((id) => !kept.has(id))).toEqual([]);
  // Of each run, no more than the row that was under way when it died was never told of.
  expect(kept.size - told.size).toBeLessThanOrEqual(20);
  const wrong = [...kept.values()].filter(({ id, inputTokens }) => id.split("-")[1] !== String(inputTokens));
  expect(wrong).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
}, 120_000);

test.each([1, 20])(
  "where the disk takes no more, rows are dropped and counted, and none is half written; %i at a time",
  async (together) => {
    // A limit on the size of files is to a process what a full disk is: a write is cut short, and the next one fails.
    const prefix = ["sh", "-c", 'ulimit -f 8; exec "$0" "$@"'];
    const run = start("full", 100, { prefix, together });

    await run.closed;

    const { shipped = 0, dropped = 0 } = run.snapshot ?? {};
    expect(run.snapshot).toMatchObject({ rows: 0, bytes: 0, corrupt: 0, rejected: 0 });
    expect(dropped).toBeGreaterThan(0);
    expect(shipped + dropped).toBe(100);
    expect(kept.size).toBe(shipped);
    // What has room is kept, whatever it came with.
    expect(kept.size % 20).not.toBe(0);
    expect([...told].filter((id) => !kept.has(id))).toEqual([]);
  },
);
