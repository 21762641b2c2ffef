import { connect } from "node:net";
import type { Schemas } from "@model-gateway/domain/operations";
import { expect, test } from "vitest";
import { describeUsage, emptyRecord } from "./usage-fixture.js";

type Row = Schemas["RequestRecord"];

const soon = { timeout: 90_000, interval: 20 };
const generations = "/v1/images/generations";

describeUsage("requests whose caller leaves", (fixture) => {
  /** Sends a request and waits until it is at the upstream. */
  async function begin(path: string, body: object, key: Schemas["CreatedKey"], headers = {}) {
    const departure = new AbortController();
    const before = fixture.upstream.seen().requests;
    const response = fixture.post(path, body, { key, headers, signal: departure.signal });
    response.catch(() => undefined);
    await expect.poll(() => fixture.upstream.seen().requests, soon).toBe(before + 1);
    return { response, leave: () => departure.abort() };
  }

  const hold = () => fixture.upstream.follow({ always: { isHeld: true } });

  async function rowsOf(key: Schemas["CreatedKey"], count: number): Promise<Partial<Row>[]> {
    const rows = await fixture.admin().rowsOnce(count, { key: key.id });
    expect(rows).toHaveLength(count);
    return rows.map(usageOf);
  }

  const left = { ...usageOf(emptyRecord()), status: 499, error_code: "caller_left" };

  test("the cost of abandoned embeddings is unknown", async () => {
    const key = await fixture.createKey();
    const body = { model: "text", input: "abc" };
    hold();

    (await begin("/v1/embeddings", body, key)).leave();

    expect(await rowsOf(key, 1)).toEqual([
      {
        ...left,
        operation: "createEmbedding",
        model: "text",
        cost_usd: null,
        request_bytes: JSON.stringify(body).length,
      },
    ]);
  });

  test("the cost of an abandoned image is unknown, but its upstream is known", async () => {
    const key = await fixture.createKey({ limits: { images_per_day: 3 } });
    const body = { model: "image", prompt: "a fox", n: 2 };
    hold();

    (await begin(generations, body, key)).leave();

    expect(await rowsOf(key, 1)).toEqual([
      {
        ...left,
        operation: "createImage",
        model: "image",
        upstream: "fake",
        attempts: 1,
        cost_usd: null,
        request_bytes: JSON.stringify(body).length,
      },
    ]);
    // The images may have been created, so they count.
    fixture.upstream.follow({});
    const next = await fixture.post(generations, body, { key });
    expect(next.headers.get("x-ratelimit-remaining-images")).toBe("1");
  });

  test("images of a stream that arrived before the caller left count", async () => {
    const key = await fixture.createKey();
    const body = { model: "image", prompt: "a fox", n: 2, stream: true };
    fixture.upstream.follow({ always: { faults: [{ kind: "stall", afterBytes: -1 }] } });

    const { response, leave } = await begin(generations, body, key);
    const reader = (await response).body!.getReader();
    let text = "";
    while (!text.includes("image_generation.completed"))
      text += Buffer.from((await reader.read()).value ?? []).toString();
    leave();

    expect(await rowsOf(key, 1)).toEqual([
      {
        ...left,
        operation: "createImage",
        model: "image",
        upstream: "fake",
        attempts: 1,
        images: 1,
        content_credentials: "none",
        input_tokens: 10,
        output_tokens: 100,
        // The second image may have been created.
        cost_usd: null,
        request_bytes: JSON.stringify(body).length,
        response_bytes: expect.any(Number),
      },
    ]);
  });

  test("the caller that started an image pays for it, even if it leaves and another one receives it", async () => {
    const key = await fixture.createKey();
    const body = { model: "image", prompt: "a fox" };
    const once = { "idempotency-key": "once" };
    hold();

    const { leave } = await begin(generations, body, key, once);
    const other = fixture.post(generations, body, { key, headers: once });
    const inFlight = () => fixture.admin().metric("gateway_requests_in_flight");
    await expect.poll(inFlight, soon).toMatchObject({ '{operation="createImage"}': 2 });
    // The other request is in flight, but may not wait for the lock yet. A later request has finished after it does.
    await fixture.admin().rows();
    leave();
    await fixture.admin().rows();
    fixture.upstream.follow({});
    const response = await other;
    await response.arrayBuffer();

    expect([response.status, response.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    const common = { operation: "createImage", model: "image", request_bytes: JSON.stringify(body).length };
    const created = {
      upstream: "fake",
      attempts: 1,
      images: 1,
      input_tokens: 10,
      output_tokens: 100,
      cost_usd: 0.25,
    };
    expect(await rowsOf(key, 2)).toEqual([
      { ...left, ...common, ...created },
      {
        ...left,
        ...common,
        status: 200,
        error_code: null,
        response_bytes: expect.any(Number),
        content_credentials: "none",
      },
    ]);
  });

  test("a caller that leaves while it sends the request is charged nothing", async () => {
    const key = await fixture.createKey();
    const { port } = new URL(fixture.gateway().url);
    const socket = connect(Number(port), "127.0.0.1");
    const head = `POST ${generations} HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${key.value}\r\n`;

    socket.write(
      `${head}content-type: application/json\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once("data", resolve));
    socket.end('{"model":');
    socket.destroy();

    expect(await rowsOf(key, 1)).toEqual([
      { ...left, operation: "createImage", model: null, request_bytes: 0 },
    ]);
  });

  test("the estimated cost of an abandoned request counts against the budget", async () => {
    // The budget is enough for one image, not for two.
    const key = await fixture.createKey({ budget: { usd: 0.3, per: "month" } });
    const body = { model: "image", prompt: "a fox" };
    hold();
    (await begin(generations, body, key)).leave();
    await rowsOf(key, 1);
    fixture.upstream.follow({});

    const next = await fixture.post(generations, body, { key });

    expect(next.status).toBe(429);
    expect(await next.json()).toMatchObject({ error: { code: "insufficient_quota" } });
  });
});

/** A row without time, key, duration and the reason of its failure. */
function usageOf(row: Row): Partial<Row> {
  const { object, id, created_at, key_id, key_name, duration_ms, failure, ...rest } = row;
  const hasLeft = row.error_code === "caller_left";
  expect(failure?.message).toBe(
    hasLeft ? "The caller closed the connection before the response was complete." : undefined,
  );
  return rest;
}
