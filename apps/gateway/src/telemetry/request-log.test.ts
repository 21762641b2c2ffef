import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { RequestContext } from "../http/request/request-context.js";
import { createLog } from "./log.js";
import { RequestLog } from "./request-log.js";

function open(level = "info") {
  const writes: string[] = [];
  const log = createLog(level, { write: (text) => void writes.push(text) });
  return { requestLog: new RequestLog(log), log, writes };
}

const ids = (writes: readonly string[]) =>
  writes
    .join("")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).id);

const over = (id: string) => ({
  context: { id, requestBytes: 1, responseBytes: 2 } as RequestContext,
  method: "POST",
  status: 200,
  ms: 1.26,
});

test("lines of one moment are written together, in order, as pino writes them", async () => {
  const { requestLog, log, writes } = open();
  requestLog.add(over("first"));
  requestLog.add(over("second"));
  expect(writes).toEqual([]);
  await expect.poll(() => writes).toHaveLength(1);
  const lines = writes.join("").trimEnd().split("\n");
  const { time, ...rest } = JSON.parse(lines[0] ?? "");
  expect(Date.now() - Date.parse(time)).toBeLessThan(60_000);
  const fields = { id: "first", requestBytes: 1, responseBytes: 2, method: "POST", status: 200, ms: 1.3 };
  expect(rest).toEqual({ level: "info", ...fields, msg: "request" });
  expect(JSON.parse(lines[1] ?? "").id).toBe("second");

  log.info(fields, "request");
  expect(Object.keys(JSON.parse(writes[1] ?? ""))).toEqual(Object.keys({ level: "info", time, ...rest }));
});

test("as many as may gather are written at once", () => {
  const { requestLog, writes } = open();
  for (let number = 0; number < 255; number += 1) requestLog.add(over(String(number)));
  expect(writes).toEqual([]);
  requestLog.add(over("255"));
  expect(ids(writes)).toEqual(Array.from({ length: 256 }, (_, number) => String(number)));
  // No write is longer than what a pipe takes whole, and none ends in the middle of a line.
  expect(writes.length).toBeGreaterThan(1);
  expect(writes.filter((text) => text.length > 4096 || !text.endsWith("\n"))).toEqual([]);
});

test("a log that is not interested is told nothing, and one that is told nothing does not write", async () => {
  const { requestLog, writes } = open("warn");
  requestLog.add(over("first"));
  requestLog.flush();
  await setTimeout(30);
  expect(writes).toEqual([]);
});
