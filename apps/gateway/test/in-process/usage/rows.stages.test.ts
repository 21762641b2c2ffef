import type { Schemas } from "@model-gateway/domain/operations";
import { expect, test } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { describeUsage, emptyRecord } from "./usage-fixture.js";

type Row = Schemas["RequestRecord"];
type Key = Schemas["CreatedKey"];

const dataUrl = `data:image/png;base64,${tinyPng.toString("base64")}`;
const embeddings = "/v1/embeddings";
const generations = "/v1/images/generations";

describeUsage("rows of the ledger", (fixture) => {
  /** Sends a request, checks the fields that every row has, and returns the others. */
  async function rowOf(key: Key, path: string, body: object | string, headers = {}): Promise<Partial<Row>> {
    const response = await fixture.post(path, body, { key, headers });
    const bytes = (await response.arrayBuffer()).byteLength;
    const row = await fixture.admin().rowOf(response, { key: key.id });
    expect(row).toMatchObject({
      key_id: key.id,
      key_name: "tester",
      status: response.status,
      // A body that cannot be parsed counts as 0 bytes.
      request_bytes: typeof body === "string" ? 0 : JSON.stringify(body).length,
      response_bytes: bytes,
      upstream: response.headers.get("x-gateway-upstream"),
      attempts: Number(response.headers.get("x-gateway-attempts") ?? 0),
    });
    return usageOf(row);
  }

  const nothing = usageOf(emptyRecord());
  const called = { upstream: "fake", attempts: 1 };
  const notCalled = { upstream: null, attempts: 0 };

  test("embeddings have a row with tokens, cost and attempts", async () => {
    const key = await fixture.createKey();

    const rows = [
      await rowOf(key, embeddings, { model: "text", input: ["abc", "de"] }),
      await rowOf(key, "/v1/engines/text/embeddings", { input: "abcd" }),
      await rowOf(key, embeddings, { model: "second", input: "abc" }),
    ];

    const row = { ...nothing, ...called, status: 200 };
    expect(rows).toEqual([
      { ...row, operation: "createEmbedding", model: "text", input_tokens: 5, cost_usd: 0.005 },
      { ...row, operation: "createEmbeddingLegacy", model: "text", input_tokens: 4, cost_usd: 0.004 },
      {
        ...row,
        operation: "createEmbedding",
        model: "second",
        input_tokens: 3,
        cost_usd: 0.003,
        attempts: 2,
        failed_attempts: [expect.objectContaining({ model: "status-503", status: 503 })],
      },
    ]);
  });

  test("a row keeps the owner that the key had at that time", async () => {
    const [ann, bob] = [`ann ${fixture.own}`, `bob ${fixture.own}`];
    const key = await fixture.createKey({ owner: ann });
    const embed = () => rowOf(key, embeddings, { model: "text", input: "a" });

    await embed();
    await fixture.admin().changeKey(key.id, { owner: bob });
    await embed();

    const rows = await fixture.admin().rows({ owner: bob });
    expect(rows.map(({ owner }) => owner)).toEqual([ann, bob]);
  });

  test("requests at other APIs' paths have the operation that they alias", async () => {
    const key = await fixture.createKey();
    const prompt = "a fox";
    const edit = { prompt, images: [{ image_url: dataUrl }] };

    const rows = [
      await rowOf(key, "/openai/deployments/text/embeddings?api-version=1", { input: "abcd" }),
      await rowOf(key, "/openai/v1/embeddings", { model: "text", input: "abcd" }),
      await rowOf(key, "/api/embed", { model: "text", input: "abcd" }),
      await rowOf(key, "/api/embeddings", { model: "text", prompt: "abcd" }),
      await rowOf(key, "/v2/embed", { model: "text", texts: ["abcd"], input_type: "search_query" }),
      await rowOf(key, "/v1/multimodalembeddings", {
        model: "text",
        inputs: [{ content: [{ type: "text", text: "abcd" }] }],
      }),
      await rowOf(key, "/openai/deployments/image/images/generations", { prompt }),
      await rowOf(key, "/openai/v1/images/generations", { model: "image", prompt }),
      await rowOf(key, "/openai/deployments/image/images/edits", edit),
      await rowOf(key, "/openai/v1/images/edits", { model: "image", ...edit }),
    ];

    const embedding = { ...nothing, ...called, status: 200, operation: "createEmbedding", model: "text" };
    const image = {
      ...embedding,
      model: "image",
      images: 1,
      cost_usd: 0.25,
      content_credentials: "none" as const,
    };
    const tokens = { input_tokens: 10, output_tokens: 100 };
    expect(rows).toEqual([
      ...Array(6).fill({ ...embedding, input_tokens: 4, cost_usd: 0.004 }),
      ...Array(2).fill({ ...image, ...tokens, operation: "createImage" }),
      ...Array(2).fill({ ...image, ...tokens, operation: "createImageEdit" }),
    ]);
  });

  test("cached embeddings have tokens, and cost nothing", async () => {
    const key = await fixture.createKey();
    const input = `cached ${fixture.own}`;

    const rows = [
      await rowOf(key, embeddings, { model: "cached", input }),
      await rowOf(key, embeddings, { model: "cached", input }),
      await rowOf(key, embeddings, { model: "cached", input: [input, `not ${input}`] }),
    ];

    const row = { ...nothing, operation: "createEmbedding", model: "cached", status: 200 };
    expect(rows).toEqual([
      { ...row, ...called, cache: "miss", input_tokens: 15, cost_usd: 0.015 },
      { ...row, ...notCalled, cache: "hit", input_tokens: 15, cached_inputs: 1, saved_usd: 0.015 },
      {
        ...row,
        ...called,
        cache: "partial",
        input_tokens: 34,
        cost_usd: 0.019,
        cached_inputs: 1,
        saved_usd: 0.015,
      },
    ]);
  });

  test("the cache's savings are summed by key and model, at the lowest price of the targets", async () => {
    const key = await fixture.createKey();
    const input = ["one", "one", "three"].map((word) => `${word} ${fixture.own}`);
    const [letters = 0, , more = 0] = input.map((text) => text.length);
    const models = ["uncounted", "two-prices", "unpriced-cached"];

    for (const model of models) {
      await rowOf(key, embeddings, { model, input: input.slice(0, 2) });
      // The inputs that are repeated count once.
      await rowOf(key, embeddings, { model, input });
      await rowOf(key, embeddings, { model, input });
    }

    const rows = await fixture.admin().rowsOnce(9, { key: key.id });
    expect(rows.map(({ cache, cached_inputs }) => [cache, cached_inputs])).toEqual(
      models.flatMap(() => [
        ["miss", 0],
        ["partial", 1],
        ["hit", 2],
      ]),
    );
    const groups = await fixture.admin().usage({ key: key.id, group_by: "key,model" });
    // The first was found twice, and the other once.
    const saved = (2 * letters + more) / 1000;
    expect(
      groups.map(({ key_id, model, cached_inputs, saved_usd }) => ({
        key_id,
        model,
        cached_inputs,
        saved_usd: saved_usd && Math.round(saved_usd * 1e9) / 1e9,
      })),
    ).toEqual([
      { key_id: key.id, model: "two-prices", cached_inputs: 3, saved_usd: saved / 2 },
      { key_id: key.id, model: "uncounted", cached_inputs: 3, saved_usd: saved },
      { key_id: key.id, model: "unpriced-cached", cached_inputs: 3, saved_usd: null },
    ]);
    const [all] = await fixture.admin().usage({ key: key.id });
    expect(all).toMatchObject({ cached_inputs: 9 });
    expect(all?.saved_usd).toBeCloseTo(1.5 * saved, 9);
  });

  test("images have a row, generated or edited, as JSON or as a stream", async () => {
    const key = await fixture.createKey();
    const prompt = "a fox";

    const rows = [
      await rowOf(key, generations, { model: "image", prompt, n: 2 }),
      await rowOf(key, generations, { model: "image", prompt, stream: true, partial_images: 2 }),
      await rowOf(key, "/v1/images/edits", { model: "image", prompt, images: [{ image_url: dataUrl }] }),
      await rowOf(key, generations, { model: "by-token", prompt, n: 3 }),
      await rowOf(key, generations, { model: "by-token", prompt, stream: true }),
    ];

    const row = {
      ...nothing,
      ...called,
      operation: "createImage",
      model: "image",
      status: 200,
      content_credentials: "none" as const,
    };
    const tokens = { input_tokens: 10, output_tokens: 100 };
    expect(rows).toEqual([
      { ...row, ...tokens, images: 2, cost_usd: 0.5 },
      { ...row, ...tokens, images: 1, cost_usd: 0.25 },
      { ...row, ...tokens, images: 1, cost_usd: 0.25, operation: "createImageEdit" },
      { ...row, ...tokens, images: 3, cost_usd: 0.101, model: "by-token" },
      { ...row, ...tokens, images: 1, cost_usd: 0.101, model: "by-token" },
    ]);
  });

  test("the cost without a known price is null, and not 0", async () => {
    const key = await fixture.createKey();

    const rows = [
      await rowOf(key, embeddings, { model: "unpriced", input: "abc" }),
      await rowOf(key, generations, { model: "unpriced-image", prompt: "a fox" }),
      await rowOf(key, generations, { model: "by-size", prompt: "a fox" }),
    ];

    expect(rows.map(({ cost_usd }) => cost_usd)).toEqual([null, null, 0.5]);
    const [usage] = await fixture.admin().usage({ key: key.id });
    expect(usage).toMatchObject({ requests: 3, unpriced_requests: 2, cost_usd: 0.5 });
    const [unpriced] = await fixture.admin().usage({ key: key.id, model: "unpriced" });
    expect(unpriced).toMatchObject({ requests: 1, unpriced_requests: 1, cost_usd: null });
    expect(await fixture.admin().csv(`/admin/v1/requests?key=${key.id}&model=unpriced`)).toMatch(
      /,"createEmbedding","unpriced","fake",1,200,3,0,0,,[\d.]+,/,
    );
  });

  test("errors of an authenticated caller have a row", async () => {
    const key = await fixture.createKey({
      models: ["text", "broken", "moderated", "broken-image", "noth*"],
    });

    const rows = [
      await rowOf(key, embeddings, "{"),
      await rowOf(key, embeddings, { model: "text", input: 5 }),
      await rowOf(key, embeddings, { model: "nothing", input: "abc" }),
      await rowOf(key, embeddings, { model: "cached", input: "abc" }),
      await rowOf(key, generations, { model: "text", prompt: "a fox" }),
      await rowOf(key, embeddings, { model: "broken", input: "abc" }),
      await rowOf(key, generations, { model: "moderated", prompt: "a fox" }),
      await rowOf(key, generations, { model: "broken-image", prompt: "a fox" }),
    ];

    const embedding = { ...nothing, ...notCalled, operation: "createEmbedding", model: null };
    const image = { ...nothing, ...notCalled, operation: "createImage" };
    expect(rows).toEqual([
      { ...embedding, status: 400, error_code: "invalid_json" },
      { ...embedding, model: "text", status: 400, error_code: "invalid_type" },
      { ...embedding, status: 404, error_code: "model_not_found" },
      { ...embedding, model: "cached", status: 403, error_code: "model_not_allowed" },
      { ...image, model: "text", status: 400, error_code: "unsupported_operation" },
      { ...embedding, ...called, model: "broken", status: 502, error_code: "upstream_error" },
      { ...image, ...called, model: "moderated", status: 400, error_code: "moderation_blocked" },
      // Whether the upstream created the image is unknown, and so is the cost.
      {
        ...image,
        ...called,
        model: "broken-image",
        status: 502,
        error_code: "upstream_error",
        cost_usd: null,
      },
    ]);
  });

  test("a refused request has a row, and an unauthenticated one does not", async () => {
    const key = await fixture.createKey({ limits: { requests_per_minute: 1 } });
    await rowOf(key, embeddings, { model: "text", input: "abc" });

    const refused = await rowOf(key, embeddings, { model: "text", input: "abc" });
    const before = (await fixture.admin().usage())[0]?.requests;
    const unauthenticated = await fixture.post(
      embeddings,
      { model: "text", input: "abc" },
      { key: { value: "mg_no" } },
    );
    for (const method of ["OPTIONS", "HEAD", "PUT", "GET"])
      await fetch(`${fixture.gateway().url}${embeddings}`, {
        method,
        headers: { authorization: `Bearer ${key.value}` },
      });
    for (const path of ["/v1/models", "/admin/v1/keys", "/admin/v1/requests", "/metrics", "/healthz"])
      await fetch(`${fixture.gateway().url}${path}`, {
        headers: { authorization: `Bearer ${testAdminKey}` },
      });
    // Rows arrive in order: when this one is there, all earlier ones are.
    await rowOf(await fixture.createKey(), embeddings, { model: "text", input: "abc" });

    expect(refused).toEqual({
      ...nothing,
      ...notCalled,
      operation: "createEmbedding",
      model: "text",
      status: 429,
      error_code: "rate_limit_exceeded",
    });
    expect(unauthenticated.status).toBe(401);
    expect((await fixture.admin().usage())[0]?.requests).toBe((before ?? 0) + 1);
  });

  test("a replay costs nothing, and counts no images", async () => {
    const key = await fixture.createKey();
    const once = { "idempotency-key": "only once" };
    const body = { model: "image", prompt: "a fox" };

    const rows = [await rowOf(key, generations, body, once), await rowOf(key, generations, body, once)];

    const image = { operation: "createImage", model: "image", content_credentials: "none" } as const;
    const row = { ...nothing, ...image, status: 200 };
    expect(rows).toEqual([
      { ...row, ...called, images: 1, input_tokens: 10, output_tokens: 100, cost_usd: 0.25 },
      { ...row, ...notCalled },
    ]);
  });
});

/** A row without time, key, duration, sizes and the reason of its failure. */
function usageOf(row: Row | undefined): Partial<Row> {
  if (row === undefined) throw new Error("The row is missing.");
  const {
    object,
    id,
    created_at,
    key_id,
    key_name,
    duration_ms,
    request_bytes,
    response_bytes,
    failure,
    ...rest
  } = row;
  expect(object).toBe("request");
  expect(Math.abs(created_at - Date.now() / 1000)).toBeLessThan(60);
  expect(duration_ms).toBeGreaterThanOrEqual(0);
  expect(failure === null).toBe(row.error_code === null);
  return rest;
}
