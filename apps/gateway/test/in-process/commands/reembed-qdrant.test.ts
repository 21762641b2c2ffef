import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { testKey } from "../../gateway/test-gateway.js";
import { qdrantKey, startFakeQdrant } from "../../servers/fake-qdrant.js";
import { batchSuite } from "./batch-suite.js";
import type { CommandOptions } from "./run-command.js";

const suite = batchSuite();

const small = { limits: { lines: 7, bytes: 1_000_000 } };

async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  options: CommandOptions = {},
) {
  const all = { GATEWAY_KEY: testKey, ...environment };
  const result = await suite.run(["reembed", ...args], { environment: all, ...small, ...options });
  return { ...result, output: result.stdout + result.stderr };
}

describe("qdrant", () => {
  let qdrant: Awaited<ReturnType<typeof startFakeQdrant>>;
  const idOf = (n: number) => (n % 2 === 0 ? n : `00000000-0000-0000-0000-${String(n).padStart(12, "0")}`);
  const environment = () => ({ QDRANT_URL: qdrant.url, QDRANT_API_KEY: qdrantKey });
  const args = ["--from", "qdrant", "--collection", "passages", "--model", "text"];
  const call = async (method: string, path: string, body: object) => {
    const headers = { "api-key": qdrantKey, "content-type": "application/json" };
    const response = await fetch(`${qdrant.url}${path}`, { method, headers, body: JSON.stringify(body) });
    expect(await response.json()).toMatchObject({ status: "ok" });
  };

  beforeEach(async () => {
    qdrant = await startFakeQdrant();
    const width = { size: 3, distance: "Cosine" };
    await call("PUT", "/collections/passages", { vectors: { old: width, new: { ...width, size: 8 } } });
    const points = Array.from({ length: 230 }, (_, n) => ({
      id: idOf(n),
      vector: { old: [n + 1, 1, n % 5] },
      payload: { ...(n !== 13 && { text: `text ${n}` }), page: n },
    }));
    await call("PUT", "/collections/passages/points?wait=true", { points });
  });
  afterEach(() => qdrant.close());

  const pointsOf = (collection: string) => [...(qdrant.collections.get(collection)?.points.values() ?? [])];

  test("points are copied to a new collection, with their payload and the id of the space", async () => {
    const { exitCode, stdout, stderr } = await run(
      [...args, "--run", "--to-collection", "next"],
      environment(),
      {
        limits: { lines: 150, bytes: 1_000_000 },
      },
    );

    const copied = pointsOf("next");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("Created the collection next for vectors of 8 numbers.\n");
    expect(copied).toHaveLength(229);
    expect(copied.find(({ id }) => id === 2)).toEqual({
      id: 2,
      vectors: { "": vectorOf("text 2", 8) },
      payload: { text: "text 2", page: 2, embedding_space: expect.stringMatching(/^\w+:8$/) },
    });
    expect(pointsOf("passages")).toHaveLength(230);
  });

  test("a named vector of the same points is set, and deleted points stay away", async () => {
    const stop = new AbortController();
    suite.fake.faults.beforeLine = (text) => {
      if (text === "text 10") stop.abort();
    };
    const line = [...args, "--run", "--vector", "new", "--space-field", "space", "--json"];
    const limits = { lines: 100, bytes: 1_000_000 };
    await run(line, environment(), { signal: stop.signal, limits });
    qdrant.collections.get("passages")?.points.delete(idOf(20));

    const { exitCode, stdout } = await run(line, environment(), { limits });

    const points = pointsOf("passages");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 229, written: 228, gone: 1, skipped: 1 });
    expect(points).toHaveLength(229);
    expect(points.find(({ id }) => id === 4)).toMatchObject({
      vectors: { old: [5, 1, 4], new: vectorOf("text 4", 8) },
      payload: { page: 4, space: expect.stringMatching(/:8$/) },
    });
  });

  test("compare searches both collections", async () => {
    await run([...args, "--run", "--to-collection", "next"], environment(), {
      limits: { lines: 500, bytes: 1_000_000 },
    });
    const compare = [
      "--from",
      "qdrant",
      "--collection",
      "passages",
      "--old-vector",
      "old",
      "--compare",
      "30",
      "--json",
    ];

    const other = await run([...compare, "--to-collection", "next"], environment());
    const same = await run([...compare, "--vector", "old"], environment());

    expect(JSON.parse(other.stdout)).toMatchObject({
      rows: 229,
      queries: 30,
      k: 10,
      between: ["passages/old", "next"],
    });
    expect(JSON.parse(other.stdout).recall).toBeLessThan(0.3);
    expect(JSON.parse(same.stdout)).toMatchObject({ recall: 1, nearest_kept: 1 });
  });

  test("an estimate reads the whole collection and writes nothing", async () => {
    const { exitCode, stdout } = await run([...args, "--estimate", "--json"], environment());

    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ inputs: 229, skipped: 1 });
    expect([...qdrant.collections.keys()]).toEqual(["passages"]);
  });

  test.each([
    [["--collection", "nowhere", "--to-collection", "next"], "Qdrant at"],
    [["--vector", "old"], "holds 3 numbers a point, and the model returns 8."],
    [["--vector", "none"], "The vector none of the collection passages does not exist."],
  ])("%j is explained before anything is bought", async (changed, message) => {
    const { exitCode, output } = await run([...args, "--run", ...changed], environment());

    expect(exitCode).toBe(1);
    expect(output).toContain(message);
    expect(suite.fake.batches.size).toBe(0);
  });

  test("a reply that breaks off is asked for again", async () => {
    let isBroken = false;
    qdrant.faults.instead = (path, response) => {
      if (isBroken || !path.endsWith("/scroll")) return false;
      isBroken = true;
      response.writeHead(200, { "content-length": "1000" }).write('{"result": {', () => response.destroy());
      return true;
    };
    // Its first reply shows that the address is right.
    await run([...args, "--run", "--to-collection", "next"], environment(), {
      limits: { lines: 500, bytes: 1_000_000 },
    });

    expect(isBroken).toBe(true);
    expect(pointsOf("next")).toHaveLength(229);
  });

  test("a server that does not respond, or without an end, is named", async () => {
    const estimate = [...args, "--estimate"];
    const { host } = new URL(qdrant.url);

    qdrant.faults.instead = () => true;
    const silent = await run(estimate, environment(), { storeMs: 100 });
    qdrant.faults.instead = (_path, response) => {
      const chunk = Buffer.alloc(16 * 1024 * 1024, " ");
      const send = (): void => void (response.destroyed || response.write(chunk, send));
      send();
      return true;
    };
    const endless = await run(estimate, environment());

    expect(silent.output).toContain(`Qdrant at ${host} has not responded within 0.1 seconds.`);
    expect(endless.output).toContain(`The response of Qdrant at ${host} is larger than 268435456 bytes.`);
  });

  test("an interruption ends a call that is under way", async () => {
    const stop = new AbortController();
    qdrant.faults.instead = (path) => {
      const isScroll = path.endsWith("/scroll");
      if (isScroll) stop.abort();
      return isScroll;
    };

    const { exitCode, output } = await run([...args, "--estimate"], environment(), { signal: stop.signal });

    expect([exitCode, output]).toEqual([1, expect.stringContaining("Interrupted.")]);
  });

  test("a wrong key is not shown, and a server that is away is named without a wait", async () => {
    const estimate = [...args, "--estimate"];

    const wrong = await run(estimate, { ...environment(), QDRANT_API_KEY: "a-secret-key" });
    qdrant.close();
    const { host } = new URL(qdrant.url);
    const away = await run(estimate, { QDRANT_URL: `http://${host}` });

    expect(wrong.output).toContain("Must provide an API key (401) Set QDRANT_API_KEY.");
    expect(away.output).toContain(`Qdrant at ${host} cannot be reached (ECONNREFUSED). Check QDRANT_URL.`);
    expect(wrong.output + away.output).not.toContain("a-secret");
  });
});
