import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { tinyPng } from "./pictures.mjs";
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

const send = (path: string, body: object, init: RequestInit = {}) =>
  fetch(`${upstream.baseUrl}${path}`, { method: "POST", body: JSON.stringify(body), ...init });
const embed = (body: object = {}, init?: RequestInit) =>
  send("/embeddings", { model: "m", input: "a", ...body }, init);
const embedJson = async (body: object) => readJson(await embed(body));
const always = (behaviour: Behaviour) => upstream.follow({ always: behaviour });
const goingWrong = (fault: Fault) => always({ faults: [fault] });
const data = (inputs: readonly unknown[], width: number) =>
  inputs.map((input, index) => ({ object: "embedding", index, embedding: vectorOf(input, width) }));

describe("embeddings", () => {
  test.each([3, 8, 24, 25, 1536])("of width %d depend on each input alone", async (dimensions) => {
    const input = ["a", "b", [1, 2, 3], "é"];

    const answer = await embedJson({ input, dimensions });

    expect(answer).toEqual({
      object: "list",
      data: data(input, dimensions),
      model: "m",
      usage: { prompt_tokens: 6, total_tokens: 6 },
    });
    expect(new Set(input.map((each) => vectorOf(each, dimensions).join())).size).toBe(4);
  });

  test.each([3, 24, 25, 1536])("of width %d are the same in base64", async (dimensions) => {
    const { data: items } = await embedJson({ input: ["a", "b"], dimensions, encoding_format: "base64" });

    const numbers = items.map(({ embedding }) => [
      ...new Float32Array(Uint8Array.from(Buffer.from(String(embedding), "base64")).buffer),
    ]);
    expect(numbers).toEqual([vectorOf("a", dimensions), vectorOf("b", dimensions)]);
  });

  test("too large for one write arrive whole", async () => {
    const input = Array.from({ length: 300 }, (_, index) => `text ${index}`);

    expect((await embedJson({ input, dimensions: 512 })).data).toEqual(data(input, 512));
  });

  test("may come in another order, be of a width of its own, and in numbers only", async () => {
    await always({ order: "reversed", width: 5, encoding: "float" });

    const answer = await embedJson({ input: ["a", "b"], encoding_format: "base64" });

    expect(answer.data).toEqual(data(["a", "b"], 5).reverse());
  });

  test("may be alike, with an answer that is kept for each number of inputs and each form", async () => {
    await always({ vectors: "alike", width: 32 });

    const texts = await Promise.all(
      ["a", "b", ["a", "b"]].map(async (input) => (await embed({ input })).text()),
    );

    const [one, other, two = ""] = texts;
    expect(one).toBe(other);
    expect(JSON.parse(two).data).toEqual(data(["", ""], 32));
  });

  test("are refused where there are too many in a call", async () => {
    await always({ inputsMax: 2, tokensMax: 3 });

    const [inputs, tokens] = await Promise.all([embed({ input: ["a", "b", "c"] }), embed({ input: "abcd" })]);

    expect([inputs.status, await readJson(inputs)]).toEqual([
      422,
      { message: "batch size 3 > maximum allowed batch size 2", code: 422, type: "Validation" },
    ]);
    expect([tokens.status, (await readJson(tokens)).error?.message]).toEqual([
      400,
      "Requested 4 tokens, max 3 tokens per request",
    ]);
  });
});

describe("pictures", () => {
  test("come in base64 from most models, and as links that work from those named dall-e", async () => {
    const one = await send("/images/generations", { model: "picture", prompt: "a", n: 2 });
    const other = await send("/images/generations", { model: "dall-e-3", prompt: "a" });

    const { data: links } = await readJson(other);
    expect((await readJson(one)).data).toEqual(Array(2).fill({ b64_json: tinyPng.toString("base64") }));
    expect((await fetch(links[0]?.url ?? "")).headers.get("content-type")).toBe("image/png");
  });

  test("come as events, with as many partial ones as are asked for", async () => {
    const answer = await send("/images/generations", {
      model: "picture",
      prompt: "a",
      stream: true,
      partial_images: 2,
      n: 2,
    });

    const names = [...(await answer.text()).matchAll(/^event: (.+)$/gm)].map(([, name]) => name);
    expect(names).toEqual([
      ...Array(2).fill("image_generation.partial_image"),
      ...Array(2).fill("image_generation.completed"),
    ]);
  });

  test("are refused where an option is unknown", async () => {
    const answer = await send("/images/generations", { model: "picture", prompt: "a", style: "vivid" });

    expect([answer.status, (await readJson(answer)).error?.param]).toEqual([400, "style"]);
  });

  test("may be as large as is asked for", async () => {
    await always({ pictures: 300_000 });

    const answer = await send("/images/generations", { model: "picture", prompt: "a" });

    const { data: pictures } = await readJson(answer);
    expect(Buffer.from(pictures[0]?.b64_json ?? "", "base64").length).toBeGreaterThan(300_000);
  });

  test("are made of forms too, of which all bytes are counted", async () => {
    const before = await upstream.seen();
    const form = new FormData();
    for (const [name, value] of Object.entries({ model: "picture", prompt: "a" })) form.append(name, value);
    form.append("image", new Blob([new Uint8Array(3_000_000)], { type: "image/png" }), "a.png");

    const answer = await fetch(`${upstream.baseUrl}/images/edits`, { method: "POST", body: form });

    expect(answer.status).toBe(200);
    const after = await upstream.seen();
    expect(after.last.at(-1)?.body).toEqual({ model: "picture", prompt: "a" });
    expect(after.bodyBytes - before.bodyBytes).toBeGreaterThan(3_000_000);
  });
});

describe("what goes wrong", () => {
  test("a status, with headers and a body", async () => {
    await goingWrong({ kind: "answer", status: 429, headers: { "retry-after-ms": "200" } });

    const answer = await embed();

    expect([answer.status, answer.headers.get("retry-after-ms"), await readJson(answer)]).toEqual([
      429,
      "200",
      { error: { message: "Scripted failure 429.", type: "test", param: null, code: null } },
    ]);
  });

  test.each([undefined, 0, -1])("a stall after %s bytes, until the caller leaves", async (afterBytes) => {
    await goingWrong({ kind: "stall", ...(afterBytes !== undefined && { afterBytes }) });
    const before = await upstream.seen();
    const departure = new AbortController();

    const answer = embed({}, { signal: departure.signal });
    const body = answer.then((begun) => begun.text());
    body.catch(() => undefined);
    if (afterBytes !== undefined) expect((await answer).status).toBe(200);
    await expect.poll(async () => (await upstream.seen()).inFlight).toBe(1);
    departure.abort();

    await expect(body).rejects.toThrow();
    await expect.poll(upstream.seen.bind(upstream)).toMatchObject({
      inFlight: 0,
      requests: before.requests + 1,
      abandoned: before.abandoned + 1,
    });
  });

  test.each(["cut", "reset"] as const)("a %s before the headers", async (kind) => {
    await goingWrong({ kind });
    const before = await upstream.seen();

    await expect(embed()).rejects.toThrow();

    // It was the upstream that left, not the caller.
    expect((await upstream.seen()).abandoned).toBe(before.abandoned);
  });

  test.each(["cut", "reset"] as const)("a %s in the middle of the body", async (kind) => {
    await goingWrong({ kind, afterBytes: 20 });

    const answer = await embed();

    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  test("a drip, which ends well", async () => {
    await goingWrong({ kind: "drip", bytes: 50, everyMs: 2 });

    expect((await embedJson({})).data).toEqual(data(["a"], 8));
  });

  test("garbage", async () => {
    await goingWrong({ kind: "garbage" });

    expect(await (await embed()).text()).toBe("<html>not json</html>");
  });

  test("NaN, as some servers write it", async () => {
    await goingWrong({ kind: "lie", lie: "nan" });

    expect(await (await embed({ dimensions: 2 })).text()).toContain('"embedding":[NaN,NaN]');
  });

  test("a share of the requests, the same for the same seed", async () => {
    const always = {
      faults: [
        { kind: "answer", status: 500, percent: 30 },
        { kind: "answer", status: 429, percent: 20 },
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
  test("the next requests stand above a model, and that above the rest", async () => {
    const status = (code: number): Behaviour => ({ faults: [{ kind: "answer", status: code }] });
    await upstream.follow({
      always: { ...status(500), width: 3 },
      models: { n: status(501) },
      next: [status(502)],
    });

    const statuses = [];
    for (const model of ["m", "n", "m", "status-504"]) statuses.push((await embed({ model })).status);

    expect(statuses).toEqual([502, 501, 500, 504]);
  });

  test("what is held goes on with the next script", async () => {
    await always({ isHeld: true });
    const held = embed();
    await expect.poll(async () => (await upstream.seen()).inFlight).toBe(1);

    await upstream.follow({});

    expect((await held).status).toBe(200);
  });

  test.each([
    [{ allways: {} }, "'allways' is not known in the script."],
    [{ models: { m: { delay: 5 } } }, "'delay' is not known in a behaviour."],
    [{ next: [{ faults: [{ kind: "stal" }] }] }, "There is no fault of the kind stal."],
    [{ always: { faults: [{ kind: "lie", lie: "white" }] } }, "There is no lie white."],
    [
      { always: { faults: [{ kind: "garbage" }, { kind: "reset", percent: 1 }] } },
      "The faults of a behaviour are 101 per cent in all.",
    ],
  ])("a word that means nothing is refused: %j", async (script, message) => {
    await expect(upstream.follow(script as object)).rejects.toThrow(message);
  });
});

test("after a kill -9 it comes back at the same address, and no request is lost from its tally", async () => {
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

interface Answer {
  readonly data: { readonly embedding?: unknown; readonly url?: string; readonly b64_json?: string }[];
  readonly error?: { readonly message: string; readonly param: string };
}

async function readJson(answer: Response): Promise<Answer> {
  return (await answer.json()) as Answer;
}
