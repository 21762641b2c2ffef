import { createRandom } from "@model-gateway/test-suite/random";
import { expect, test } from "vitest";
import { testKey } from "../../gateway/test-gateway.js";
import { describeUsage } from "./usage-fixture.js";

const dayMs = 86_400_000;
const soon = { timeout: 90_000, interval: 20 };

/** A 429 without the remaining time. */
interface Refusal {
  readonly message: string;
  readonly headers: Record<string, string | null>;
}

async function refusalOf(response: Response): Promise<Refusal> {
  expect(response.status).toBe(429);
  const { error } = (await response.json()) as { error: Record<string, string> };
  expect(error).toEqual({
    message: expect.any(String),
    type: "rate_limit_error",
    param: null,
    code: "rate_limit_exceeded",
  });
  const names = ["limit", "remaining"].flatMap((word) =>
    ["requests", "tokens", "images"].map((unit) => `x-ratelimit-${word}-${unit}`),
  );
  const given = names.filter((name) => response.headers.has(name));
  const all = [...given, "x-should-retry"].map((name) => [name, response.headers.get(name)]);
  return {
    message: (error.message ?? "").replace(/ Please try again in [\dhms.]+\.$/, ""),
    headers: Object.fromEntries(all),
  };
}

/** The expected `x-should-retry`: clients wait a minute at most, and not until tomorrow. */
const retryBeforeTomorrow = () => (dayMs - (Date.now() % dayMs) > 60_000 ? "false" : null);

describeUsage("limits", (fixture) => {
  const embed = (key: { value: string }, letters = 4, model = "text") =>
    fixture.post("/v1/embeddings", { model, input: "a".repeat(letters) }, { key });
  const createImages = (key: { value: string }, n: number, model = "image") =>
    fixture.post("/v1/images/generations", { model, prompt: "a fox", n }, { key });

  test("requests per minute: each response has the remaining requests, and a 429 the time to wait", async () => {
    const key = await fixture.createKey({ limits: { requests_per_minute: 2 } });

    const responses = [await embed(key), await embed(key), await embed(key)];

    const actual = responses.map(({ status, headers }) => [
      status,
      headers.get("x-ratelimit-limit-requests"),
      headers.get("x-ratelimit-remaining-requests"),
    ]);
    expect(actual).toEqual([
      [200, "2", "1"],
      [200, "2", "0"],
      [429, "2", "0"],
    ]);
    const refused = responses[2] as Response;
    expect(refused.headers.get("x-ratelimit-reset-requests")).toMatch(/^(1m0|[\d.]+)s$/);
    const waitMs = Number(refused.headers.get("retry-after-ms"));
    expect(waitMs).toBeGreaterThan(30_000);
    expect(waitMs).toBeLessThanOrEqual(60_000);
    expect(refused.headers.get("retry-after")).toBe(String(Math.ceil(waitMs / 1000)));
    expect(await refusalOf(refused)).toEqual({
      message: "Rate limit reached for this key on requests per min (RPM): Limit 2, Used 2, Requested 1.",
      headers: {
        "x-ratelimit-limit-requests": "2",
        "x-ratelimit-remaining-requests": "0",
        "x-should-retry": null,
      },
    });
  });

  test("requests per day", async () => {
    const key = await fixture.createKey({ limits: { requests_per_day: 1 } });

    expect((await embed(key)).status).toBe(200);
    expect(await refusalOf(await embed(key))).toEqual({
      message: "Rate limit reached for this key on requests per day (RPD): Limit 1, Used 1, Requested 1.",
      headers: {
        "x-ratelimit-limit-requests": "1",
        "x-ratelimit-remaining-requests": "0",
        "x-should-retry": retryBeforeTomorrow(),
      },
    });
  });

  test.each([
    { limit: "tokens_per_minute", name: "tokens per min (TPM)", retry: () => null },
    { limit: "tokens_per_day", name: "tokens per day (TPD)", retry: retryBeforeTomorrow },
  ])("$limit: a request takes its estimate, and in the end its usage", async ({ limit, name, retry }) => {
    const key = await fixture.createKey({ limits: { [limit]: 100 } });

    // Forty letters are estimated as ten tokens, and are forty.
    const statuses = [await embed(key, 40), await embed(key, 40)].map(({ status }) => status);

    expect(statuses).toEqual([200, 200]);
    expect(await refusalOf(await embed(key, 84))).toEqual({
      message: `Rate limit reached for this key on ${name}: Limit 100, Used 80, Requested 21.`,
      headers: {
        "x-ratelimit-limit-tokens": "100",
        "x-ratelimit-remaining-tokens": "20",
        "x-should-retry": retry(),
      },
    });
    expect((await embed(key, 20)).status).toBe(200);
  });

  test("a request larger than the limit can never succeed, and the error says so", async () => {
    const key = await fixture.createKey({ limits: { tokens_per_minute: 10 } });

    const response = await embed(key, 44);

    expect(response.headers.get("retry-after")).toBeNull();
    expect(await refusalOf(response)).toEqual({
      message:
        "Request too large for this key on tokens per min (TPM): Limit 10, Requested 11. The request alone exceeds the limit and can never succeed. Send a smaller one.",
      headers: {
        "x-ratelimit-limit-tokens": "10",
        "x-ratelimit-remaining-tokens": "10",
        "x-should-retry": "false",
      },
    });
  });

  test.each([
    { limit: "images_per_minute", name: "images per min (IPM)", retry: () => null },
    { limit: "images_per_day", name: "images per day (IPD)", retry: retryBeforeTomorrow },
  ])(
    "$limit: images are counted, and those that were not created are returned",
    async ({ limit, name, retry }) => {
      const key = await fixture.createKey({ limits: { [limit]: 4 } });

      const statuses = [
        await createImages(key, 2),
        await createImages(key, 2, "moderated"),
        await fixture.post("/v1/images/generations", { model: "image", prompt: "a", stream: true }, { key }),
      ].map(async (response) => [response.status, (await response.text()).length > 0]);

      expect(await Promise.all(statuses)).toEqual([
        [200, true],
        [400, true],
        [200, true],
      ]);
      expect(await refusalOf(await createImages(key, 2))).toEqual({
        message: `Rate limit reached for this key on ${name}: Limit 4, Used 3, Requested 2.`,
        headers: {
          "x-ratelimit-limit-images": "4",
          "x-ratelimit-remaining-images": "1",
          "x-should-retry": retry(),
        },
      });
      expect((await createImages(key, 1)).status).toBe(200);
    },
  );

  test("a failed request returns its tokens, but counts as a request", async () => {
    const key = await fixture.createKey({ limits: { tokens_per_minute: 10, requests_per_minute: 2 } });

    const failed = await embed(key, 40, "broken");
    const next = await embed(key, 8);

    expect([failed.status, next.status]).toEqual([502, 200]);
    expect(next.headers.get("x-ratelimit-remaining-requests")).toBe("0");
  });

  test("a request that the gateway refuses takes nothing", async () => {
    const key = await fixture.createKey({ limits: { requests_per_minute: 1 } });

    const refused = [
      await fixture.post("/v1/embeddings", { model: "text", input: 5 }, { key }),
      await embed(key, 4, "nothing"),
      await embed(key, 4, "image"),
    ];

    expect(refused.map(({ status }) => status)).toEqual([400, 404, 400]);
    expect((await embed(key)).status).toBe(200);
  });

  test("concurrent requests count while they are in flight, however they end", async () => {
    const key = await fixture.createKey({ limits: { max_concurrency: 2 } });
    fixture.upstream.follow({ always: { isHeld: true } });
    const caller = new AbortController();
    const before = fixture.upstream.seen().inFlight;

    const inFlight = [
      fixture.post("/v1/embeddings", { model: "text", input: "one" }, { key, signal: caller.signal }),
      createImages(key, 1),
    ].map((sent) => sent.then(({ status }) => status, String));
    await expect.poll(() => fixture.upstream.seen().inFlight, soon).toBe(before + 2);
    const third = await embed(key);
    caller.abort();
    // The abandoned request no longer counts once the gateway has noticed.
    await expect.poll(() => fixture.upstream.seen().inFlight, soon).toBe(before + 1);
    fixture.upstream.follow({});
    await Promise.all(inFlight);

    expect(third.headers.get("retry-after")).toBe("1");
    expect(await refusalOf(third)).toEqual({
      message: "Rate limit reached for this key on concurrent requests: Limit 2.",
      headers: { "x-should-retry": null },
    });
    const later = await Promise.all([embed(key, 5), embed(key, 6)]);
    expect(later.map(({ status }) => status)).toEqual([200, 200]);
  });

  test("no concurrent request is leaked by callers that leave at any moment", async () => {
    const key = await fixture.createKey({ limits: { max_concurrency: 3, tokens_per_day: 1_000_000 } });
    fixture.upstream.follow({ always: { delayMs: [0, 30] } });
    const random = createRandom();

    for (let round = 0; round < 20; round += 1) {
      const leaving = Array.from({ length: 3 }, (_, number) => {
        const signal = AbortSignal.timeout(1 + random.below(40));
        const body = { model: "text", input: `${round} ${number}` };
        return fixture
          .post("/v1/embeddings", body, { key, signal })
          .then((response) => response.arrayBuffer())
          .catch(() => undefined);
      });
      await Promise.all(leaving);
    }
    fixture.upstream.follow({});

    await expect
      .poll(async () => {
        const responses = await Promise.all([embed(key, 5), embed(key, 6), embed(key, 7)]);
        return responses.map(({ status }) => status);
      }, soon)
      .toEqual([200, 200, 200]);
  });

  test("the limits of a model hold for all keys together", async () => {
    const model = `scarce-${fixture.own}`;
    const keys = [await fixture.createKey(), await fixture.createKey(), await fixture.createKey()];

    const responses = [];
    for (const key of keys) responses.push(await embed(key, 4, model));

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(await refusalOf(responses[2] as Response)).toMatchObject({
      message: `Rate limit reached for the model '${model}' on requests per min (RPM): Limit 2, Used 2, Requested 1.`,
    });
  });

  test("a changed limit takes effect at once, and keeps earlier usage", async () => {
    const key = await fixture.createKey({ limits: { requests_per_minute: 1 } });
    expect([(await embed(key)).status, (await embed(key)).status]).toEqual([200, 429]);

    await fixture.admin().changeKey(key.id, { limits: { requests_per_minute: 3 } });
    const raised = [await embed(key), await embed(key), await embed(key)];
    await fixture.admin().changeKey(key.id, { limits: null });
    const without = await embed(key);

    expect(raised.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(without.status).toBe(200);
    expect([...without.headers.keys()].filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
  });

  test("a configured key has its new limits after a reload of the file", async () => {
    const key = { value: testKey };
    const limit = async () => (await embed(key)).headers.get("x-ratelimit-limit-requests");
    expect(await limit()).toBe("1000");

    await fixture.home.configure(fixture.config({ requestsPerMinute: 2000 }));

    await expect.poll(limit, soon).toBe("2000");
  });
});
