import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TargetHistory } from "@model-gateway/scheduling/scheduler";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HistoryFile } from "./history-file.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "history-"));
});
afterEach(() => rm(folder, { recursive: true }));

const history: TargetHistory = {
  upstream: "one",
  model: "m",
  since: 1_787_067_000_000,
  provenAt: 1_787_067_000_400,
  halfHours: [{ start: 1_787_067_000_000, ok: 3, failed: 2, downMs: 1500 }],
  failures: [{ at: 1_787_067_000_500, code: "upstream_error", status: 500, message: "It failed." }],
};

test("a later process reads the counts, and those of other workers are apart", async () => {
  const file = new HistoryFile(folder, 1);
  const idle = { ...history, model: "idle", halfHours: [], failures: [] };
  await Promise.all([file.write([]), file.write([history, idle])]);

  expect(await new HistoryFile(folder, 1).read()).toEqual([history, idle]);
  expect(await new HistoryFile(folder, 2).read()).toEqual([]);
});

test("equal counts are written once", async () => {
  const file = new HistoryFile(folder, 1);
  await file.write([history]);
  const path = join(folder, "target-history-1.json");
  await writeFile(path, "mark");

  await file.write([history]);

  expect(await readFile(path, "utf8")).toBe("mark");
});

test.each([
  ["cut off", '[{"upstream":'],
  ["of another shape", '{"upstream":"one"}'],
  [
    "with a count below 0",
    '[{"upstream":"a","model":"m","since":1,"provenAt":null,"halfHours":[[0,-1,0,0]],"failures":[]}]',
  ],
  [
    "with a failure of another shape",
    '[{"upstream":"a","model":"m","since":1,"provenAt":null,"halfHours":[],"failures":[1]}]',
  ],
  ["without the last success", '[{"upstream":"a","model":"m","since":1,"halfHours":[],"failures":[]}]'],
  [
    "with a missing count",
    '[{"upstream":"a","model":"m","since":1,"provenAt":null,"halfHours":[[0,1,0]],"failures":[]}]',
  ],
])("a file that is %s counts as none", async (_what, text) => {
  await writeFile(join(folder, "target-history-1.json"), text);

  expect(await new HistoryFile(folder, 1).read()).toEqual([]);
});

test("a folder that cannot be written is reported", async () => {
  const file = new HistoryFile(join(folder, "missing"), 1);

  await expect(file.write([history])).rejects.toThrow("ENOENT");
});
