import type { Schemas } from "@model-gateway/domain/operations";
import { expect, test } from "vitest";
import { describeUsage } from "./usage-fixture.js";

type Key = Schemas["CreatedKey"];

interface Sent {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const embeddings = "/v1/embeddings";
const generations = "/v1/images/generations";
/** Text that only a caller sends. */
const secret = "the-secret text of a fox";
const anyMs = { duration_ms: expect.any(Number) };

describeUsage("why requests failed", (fixture) => {
  /** Sends a request, and waits for its row. */
  async function rowOf(key: Key, body: object | string, more: Sent = {}) {
    const { response, text } = await send(key, body, more);
    const row = await fixture.admin().rowOf(response, { key: key.id });
    return { row, failure: row.failure, text };
  }

  async function send(key: Key, body: object | string, { path = embeddings, headers = {} }: Sent = {}) {
    const response = await fixture.post(path, body, { key, headers });
    return { response, text: await response.text() };
  }

  /** Reads the caller's own records. */
  const ask = ({ value }: Key, path: string) =>
    fetch(`${fixture.gateway().url}${path}`, { headers: { authorization: `Bearer ${value}` } });

  /** The upstream refuses a model's requests with a message that quotes them. */
  const quote = (model: string, error: object = {}) =>
    fixture.upstream.follow({
      models: {
        [model]: {
          faults: [{ kind: "reply", status: 400, body: { error: { message: `Bad: ${secret}`, ...error } } }],
        },
      },
    });

  test("an upstream's refusal has its status, code and parameter, and not its message", async () => {
    const key = await fixture.createKey();
    quote("text", { code: "bad_word", param: "input" });

    const { row, failure, text } = await rowOf(key, { model: "text", input: secret });

    expect(text).toContain(secret);
    const message =
      "The upstream refused the request with status 400 and code bad_word. Its message may quote the request, so only the caller gets it.";
    expect(row.error_code).toBe("upstream_rejected");
    expect(failure).toEqual({
      message,
      param: "input",
      requested_model: "text",
      attempts: [{ upstream: "fake", model: "text", status: 400, ...anyMs, reason: message, skipped: null }],
    });
    const again = await fixture.admin().send(`/admin/v1/requests/${row.id}`);
    expect(await again.json()).toEqual(row);
    const table = await fixture.admin().csv(`/admin/v1/requests?key=${key.id}`);
    expect(table).toContain(`,"${message}",`);
  });

  test("a request that failed at each target has every attempt, and one that succeeded in the end has none", async () => {
    const key = await fixture.createKey();
    fixture.upstream.follow({ models: { text: { faults: [{ kind: "reply", status: 500 }] } } });
    const { row, failure } = await rowOf(key, { model: "second", input: "abc" });
    fixture.upstream.follow({});
    const { row: served } = await rowOf(key, { model: "text", input: "abc" });

    expect(row).toMatchObject({ upstream: "fake", attempts: expect.any(Number) });
    expect(failure?.message).toBe(failure?.attempts.at(-1)?.reason);
    expect(failure?.attempts.slice(0, 2)).toEqual([
      {
        upstream: "fake",
        model: "status-503",
        status: 503,
        ...anyMs,
        reason: "The upstream is overloaded. The upstream says: Scripted failure 503.",
        skipped: null,
      },
      {
        upstream: "fake",
        model: "text",
        status: 500,
        ...anyMs,
        reason: "The upstream failed with status 500. The upstream says: Scripted failure 500.",
        skipped: null,
      },
    ]);
    expect(failure?.attempts).toHaveLength(row.attempts);
    expect(served).toMatchObject({ status: 200, failure: null });
  });

  test("a request that another target saved has the attempts that failed, for operators alone", async () => {
    const key = await fixture.createKey();
    fixture.upstream.follow({ models: { flaky: { faults: [{ kind: "reply", status: 503 }] } } });

    const { row } = await rowOf(key, { model: "saved", input: secret });
    const saved = await fixture.admin().rows({ key: key.id, recovered_from: "impatient" });
    const own = await ask(key, "/v1/key/requests");

    expect(row).toMatchObject({ status: 200, upstream: "fake", attempts: 2, failure: null });
    expect(row.failed_attempts).toEqual([
      {
        upstream: "impatient",
        model: "flaky",
        status: 503,
        ...anyMs,
        reason: "The upstream is overloaded. The upstream says: Scripted failure 503.",
        skipped: null,
      },
    ]);
    expect(saved).toEqual([row]);
    expect(await own.text()).not.toContain("flaky");
  });

  test("an upstream that does not reply in time has no status", async () => {
    const key = await fixture.createKey();
    fixture.upstream.follow({ always: { isHeld: true } });

    const { row, failure } = await rowOf(key, { model: "late", input: "abc" });

    const reason = `${new URL(fixture.upstream.baseUrl).host} did not reply within 2 s.`;
    expect(row).toMatchObject({ status: 504, error_code: "upstream_timeout" });
    expect(failure).toEqual({
      message: reason,
      param: null,
      requested_model: "late",
      attempts: [{ upstream: "impatient", model: "text", status: null, ...anyMs, reason, skipped: null }],
    });
    const own = await ask(key, `/v1/key/requests/${row.id}`);
    expect(await own.json()).toMatchObject({
      failure: { message: "The upstream did not reply within 2 s." },
    });
  });

  test("a request that could not call a target has the target's last error", async () => {
    const key = await fixture.createKey();
    const last = { rows: [] as Schemas["RequestRecord"][] };
    const attempts = async () => {
      const { row } = await rowOf(key, { model: "down", input: "abc" });
      last.rows = [row];
      return row.attempts;
    };

    // Some calls fail before the breaker opens.
    await expect.poll(attempts).toBe(0);

    const [row] = last.rows;
    const failure = row?.failure;

    const cause = "Nothing listens at 127.0.0.1:1.";
    expect(row).toMatchObject({ status: 503, upstream: null, attempts: 0 });
    expect(failure?.message).toMatch(new RegExp(`too often.* The last error of nowhere: ${cause}$`));
    expect(failure?.attempts).toEqual([
      {
        upstream: "nowhere",
        model: "text",
        status: null,
        duration_ms: null,
        reason: expect.stringContaining("failed too often"),
        skipped: {
          failing_since: expect.any(Number),
          failures: expect.any(Number),
          paused_until: expect.any(Number),
          last_error: { at: expect.any(Number), code: "upstream_unavailable", status: null, message: cause },
        },
      },
    ]);
    const own = await ask(key, `/v1/key/requests/${row?.id}`);
    expect(await own.text()).not.toContain("127.0.0.1");
  });

  test("a refused request counts under the model that it named, and its caller learns of no foreign model", async () => {
    const key = await fixture.createKey({ models: ["text"] });
    const refused = await Promise.all([
      rowOf(key, { model: "text", input: "abc", dimensions: "many" }),
      rowOf(key, { model: "image", prompt: "abc" }, { path: generations }),
      rowOf(key, { model: "unpriced", input: "abc", dimensions: "many" }),
      rowOf(key, { model: "invented", input: "abc" }),
    ]);

    expect(refused.map(({ row }) => row.model)).toEqual(["text", "image", "unpriced", null]);
    const found = await fixture.admin().rowsOnce(1, { key: key.id, model: "image" });
    expect(found.map(({ error_code }) => error_code)).toEqual(["model_not_allowed"]);
    expect(found[0]?.failure?.message).toBe("This key may not call the model `image`. It may call `text`.");
    expect(refused[1]?.text).not.toContain("It may call");
    const usage = await fixture.admin().send(`/admin/v1/usage?key=${key.id}&group_by=model`);
    expect(((await usage.json()) as Schemas["UsageList"]).data.map(({ model }) => model)).toEqual([
      null,
      "image",
      "text",
      "unpriced",
    ]);
    const ownList = await ask(key, "/v1/key/requests");
    const ownUsage = await ask(key, "/v1/key/usage?group_by=model");
    const ownRows = ((await ownList.json()) as Schemas["OwnRequestList"]).data;
    expect(JSON.stringify(ownRows)).not.toContain("It may call");
    const shown = ownRows.map(({ model }) => model);
    expect(shown.sort()).toEqual([null, null, null, "text"].sort());
    expect(await ownUsage.json()).toMatchObject({
      data: [
        { model: null, requests: 3 },
        { model: "text", requests: 1 },
      ],
      totals: { requests: 4 },
    });
    const ofImage = await ask(key, "/v1/key/usage?model=image");
    expect(await ofImage.json()).toMatchObject({ data: [], totals: { requests: 0 } });
  });

  test("a refusal of the gateway names the model that was asked for, and the parameter", async () => {
    const key = await fixture.createKey();
    const poor = await fixture.createKey({ budget: { usd: 0.01, per: "day" } });

    const rows = await Promise.all([
      rowOf(key, { model: "nothing", input: "abc" }),
      rowOf(key, { model: "text", input: "abc", dimensions: "many" }),
      rowOf(key, { model: "text", input: "abc", encoding_format: "hex" }),
      rowOf(key, "{"),
      rowOf(poor, { model: "text", input: "a".repeat(100) }),
    ]);

    const refused = { param: null, requested_model: "text", attempts: [] };
    expect(rows.map(({ failure }) => failure)).toEqual([
      {
        ...refused,
        message: expect.stringContaining("`nothing` does not exist"),
        requested_model: "nothing",
      },
      { ...refused, message: expect.stringContaining("expected an integer"), param: "dimensions" },
      { ...refused, message: expect.stringContaining("'hex'"), param: "encoding_format" },
      { ...refused, message: expect.stringContaining("line 1, column 2"), requested_model: null },
      { ...refused, message: expect.stringContaining("You exceeded the budget of this key") },
    ]);
  });

  test("an image's failure has the attempts of its upstream, even in a stream", async () => {
    const key = await fixture.createKey();
    fixture.upstream.follow({ models: { image: { faults: [{ kind: "lie", lie: "stream-error" }] } } });

    const broken = await rowOf(key, { model: "broken-image", prompt: secret }, { path: generations });
    const streamed = await rowOf(
      key,
      { model: "image", prompt: secret, stream: true },
      { path: generations },
    );

    const failed = "The upstream failed with status 500. The upstream says: Scripted failure 500.";
    expect(broken.failure).toEqual({
      message: `${failed} Whether the images were created is not known.`,
      param: null,
      requested_model: "broken-image",
      attempts: [
        { upstream: "fake", model: "status-500", status: 500, ...anyMs, reason: failed, skipped: null },
      ],
    });
    expect(streamed.row.error_code).toBe("moderation_blocked");
    expect(streamed.failure).toMatchObject({
      message: expect.stringContaining("with code moderation_blocked"),
      requested_model: "image",
    });
  });

  test("no text of a caller is recorded, from no place of a request and through no quotation", async () => {
    const key = await fixture.createKey();
    const image = { model: "image", prompt: secret };
    const text = { model: "text", input: secret };
    const edit = { ...image, images: [{ image_url: secret }] };
    const sent: [object | string, Sent?][] = [
      [{ ...text, model: secret }],
      [{ ...text, model: `any-${secret}` }],
      [{ ...text, [secret]: 1 }],
      [{ ...text, encoding_format: secret }],
      [{ ...text, dimensions: secret }],
      [{ ...text, input: [[secret]] }],
      [`{"model": "text", "input": "${secret}`],
      [text, { headers: { "content-type": secret } }],
      [text, { headers: { "content-encoding": secret } }],
      [text, { headers: { "x-gateway-space": secret } }],
      [text, { headers: { "x-gateway-priority": secret } }],
      [text, { path: `/v1/engines/${encodeURIComponent(secret)}/embeddings` }],
      [text, { path: `${embeddings}?${encodeURIComponent(secret)}=1` }],
      [{ ...image, size: secret }, { path: generations }],
      [{ ...image, quality: secret }, { path: generations }],
      [{ ...image, n: secret }, { path: generations }],
      [{ ...image, prompt: { text: secret } }, { path: generations }],
      [edit, { path: "/v1/images/edits" }],
      [{ ...text, options: { [secret]: 1 } }, { path: "/api/embed" }],
    ];
    fixture.upstream.follow({ always: { faults: [{ kind: "reply", status: 500 }] } });
    for (const [body, more] of sent) await send(key, body, more);
    for (const error of [
      {},
      { param: secret },
      { code: secret },
      { code: "invalid_value" },
      { code: "content_filter" },
      { type: secret },
    ]) {
      quote("text", error);
      await send(key, text);
      await send(key, { ...text, input: [secret, "abc"] });
      quote("image", error);
      await send(key, image, { path: generations });
      await send(key, { ...image, n: 2 }, { path: generations, headers: { "idempotency-key": secret } });
    }

    const quoting = [401, 402, 403, 404, 408, 429, 500, 503].flatMap((status) => [
      { status, message: `Bad: ${secret}` },
      { status, message: `Cannot process "secret TEXT OF a…"` },
      { status, message: `input=${encodeURIComponent(secret)}` },
    ]);
    for (const [index, { status, message }] of quoting.entries()) {
      fixture.upstream.follow({
        always: { faults: [{ kind: "reply", status, body: { error: { message, code: secret } } }] },
      });
      // Each is another target, so that no pause of one keeps the next request away.
      await send(key, { ...text, model: `any-quoting-${index}` });
    }

    const rows = await fixture.admin().rowsOnce(sent.length + 24 + quoting.length, { key: key.id });

    expect(rows.filter(({ failure }) => failure === null)).toEqual([]);
    expect(rows.filter((row) => /the-secret|a fox|text of|text%20of/i.test(JSON.stringify(row)))).toEqual([]);
    expect(
      await fixture
        .admin()
        .send("/admin/v1/upstreams")
        .then((response) => response.text()),
    ).not.toMatch(/the-secret|a fox/);
  });
});
