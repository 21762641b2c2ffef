import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Behaviour, Fault } from "./script.js";
import { startUpstreamProcess, type UpstreamProcess } from "./upstream-process.mjs";
import { vectorOf } from "./vectors.mjs";

const folder = mkdtempSync(join(tmpdir(), "fake-upstream-"));
const tally = join(folder, "tally");
let upstream: UpstreamProcess;

beforeAll(async () => {
  upstream = await startUpstreamProcess({ tally });
});
beforeEach(() => upstream.follow({}));
afterAll(async () => {
  await upstream.kill();
  rmSync(folder, { recursive: true, force: true });
});

const embed = (body: object = {}, init: RequestInit = {}) =>
  fetch(`${upstream.baseUrl}/embeddings`, {
    method: "POST",
    body: JSON.stringify({ model: "m", input: "a", ...body }),
    ...init,
  });
const failWith = (fault: Fault) => upstream.follow({ always: { faults: [fault] } });

describe("faults", () => {
  test("a status, with headers and a body", async () => {
    await failWith({ kind: "reply", status: 429, headers: { "retry-after-ms": "200" } });

    const reply = await embed();

    expect([reply.status, reply.headers.get("retry-after-ms"), await reply.json()]).toEqual([
      429,
      "200",
      { error: { message: "Scripted failure 429.", type: "test", param: null, code: null } },
    ]);
  });

  test.each([undefined, 0, -1])("a stall after %s bytes, until the caller leaves", async (afterBytes) => {
    await failWith({ kind: "stall", ...(afterBytes !== undefined && { afterBytes }) });
    const before = await upstream.seen();
    const departure = new AbortController();

    const reply = embed({}, { signal: departure.signal });
    const body = reply.then((begun) => begun.text());
    body.catch(() => undefined);
    if (afterBytes !== undefined) expect((await reply).status).toBe(200);
    await expect.poll(async () => (await upstream.seen()).inFlight, { timeout: 90_000 }).toBe(1);
    departure.abort();

    await expect(body).rejects.toThrow();
    await expect
      .poll(() => upstream.seen(), { timeout: 90_000 })
      .toMatchObject({
        inFlight: 0,
        requests: before.requests + 1,
        abandoned: before.abandoned + 1,
      });
  });

  test.each(["cut", "reset"] as const)("a %s before the headers", async (kind) => {
    await failWith({ kind });
    const before = await upstream.seen();

    await expect(embed()).rejects.toThrow();

    // The upstream left, not the caller.
    expect((await upstream.seen()).abandoned).toBe(before.abandoned);
  });

  test.each(["cut", "reset"] as const)("a %s in the middle of the body", async (kind) => {
    await failWith({ kind, afterBytes: 20 });

    const reply = await embed();

    expect(reply.status).toBe(200);
    await expect(reply.text()).rejects.toThrow();
  });

  test("a drip, which arrives whole", async () => {
    await failWith({ kind: "drip", bytes: 50, everyMs: 2 });

    const { data } = (await (await embed()).json()) as { data: unknown };
    expect(data).toEqual([{ object: "embedding", index: 0, embedding: vectorOf("a", 8) }]);
  });

  test("garbage", async () => {
    await failWith({ kind: "garbage" });

    expect(await (await embed()).text()).toBe("<html>not json</html>");
  });

  test("NaN, as some servers write it", async () => {
    await failWith({ kind: "lie", lie: "nan" });

    expect(await (await embed({ dimensions: 2 })).text()).toContain('"embedding":[NaN,NaN]');
  });

  test("a percentage of the requests, the same for the same seed", async () => {
    const always = {
      faults: [
        { kind: "reply", status: 500, percent: 30 },
        { kind: "reply", status: 429, percent: 20 },
      ],
      slow: { percent: 5, delayMs: [1, 2] },
    } as const;
    const round = async () => {
      await upstream.follow({ seed: 7, always });
      const statuses = [];
      for (let index = 0; index < 200; index += 1) statuses.push((await embed()).status);
      return statuses;
    };

    const statuses = await round();

    expect(await round()).toEqual(statuses);
    const counts = [200, 429, 500].map((status) => statuses.filter((each) => each === status).length);
    expect(counts).toEqual([expect.closeTo(100, -1.5), expect.closeTo(40, -1.5), expect.closeTo(60, -1.5)]);
  });
});

describe("scripts", () => {
  test("`next` overrides a model, and a model overrides `always`", async () => {
    const status = (code: number): Behaviour => ({ faults: [{ kind: "reply", status: code }] });
    await upstream.follow({
      always: { ...status(500), width: 3 },
      models: { n: status(501) },
      next: [status(502)],
    });

    const statuses = [];
    for (const model of ["m", "n", "m", "status-504"]) statuses.push((await embed({ model })).status);

    expect(statuses).toEqual([502, 501, 500, 504]);
  });

  test("held requests go on with the next script", async () => {
    await upstream.follow({ always: { isHeld: true } });
    const held = embed();
    await expect.poll(async () => (await upstream.seen()).inFlight, { timeout: 90_000 }).toBe(1);

    await upstream.follow({});

    expect((await held).status).toBe(200);
  });

  test.each([
    [{ allways: {} }, "Unknown key 'allways' in the script."],
    [{ models: { m: { delay: 5 } } }, "Unknown key 'delay' in a behaviour."],
    [{ next: [{ faults: [{ kind: "stal" }] }] }, "Unknown kind of fault: stal."],
    [{ always: { faults: [{ kind: "lie", lie: "white" }] } }, "Unknown lie: white."],
    [
      { always: { faults: [{ kind: "garbage" }, { kind: "reset", percent: 1 }] } },
      "The faults of a behaviour add up to 101 percent.",
    ],
  ])("an invalid script is refused: %j", async (script, message) => {
    await expect(upstream.follow(script as object)).rejects.toThrow(message);
  });
});

test("after a kill -9 it restarts at the same address, and its tally has every request", async () => {
  const before = statSync(tally).size;
  const { baseUrl, pid } = upstream;
  await embed();
  await upstream.kill();
  await expect(embed()).rejects.toThrow();

  await upstream.start({ always: { faults: [{ kind: "garbage" }] } });

  expect(await (await embed()).text()).toBe("<html>not json</html>");
  expect([upstream.baseUrl, statSync(tally).size, (await upstream.seen()).requests]).toEqual([
    baseUrl,
    before + 2,
    1,
  ]);
  expect(upstream.pid).not.toBe(pid);
});
