import { expect, test } from "vitest";
import { testKey } from "../running-gateway.js";
import { describeUsage } from "./usage-fixture.js";

const dayMs = 86_400_000;
const patience = { timeout: 20_000, interval: 20 };

/** What a 429 says, without the time that is left. */
interface Refusal {
  readonly message: string;
  readonly headers: Record<string, string | null>;
}

async function refusalOf(answer: Response): Promise<Refusal> {
  expect(answer.status).toBe(429);
  const { error } = (await answer.json()) as { error: Record<string, string> };
  expect(error).toEqual({
    message: expect.any(String),
    type: "rate_limit_error",
    param: null,
    code: "rate_limit_exceeded",
  });
  const names = ["limit", "remaining"].flatMap((word) =>
    ["requests", "tokens", "images"].map((unit) => `x-ratelimit-${word}-${unit}`),
  );
  const given = names.filter((name) => answer.headers.has(name));
  const all = [...given, "x-should-retry"].map((name) => [name, answer.headers.get(name)]);
  return {
    message: (error.message ?? "").replace(/ Please try again in [\dhms.]+\.$/, ""),
    headers: Object.fromEntries(all),
  };
}

/** Clients wait a minute by themselves, and not for tomorrow. */
const hopeForTomorrow = () => (dayMs - (Date.now() % dayMs) > 60_000 ? "false" : null);

describeUsage("limits", (fixture) => {
  const embed = (key: { value: string }, letters = 4, model = "text") =>
    fixture.post("/v1/embeddings", { model, input: "a".repeat(letters) }, { key });
  const draw = (key: { value: string }, n: number, model = "image") =>
    fixture.post("/v1/images/generations", { model, prompt: "a fox", n }, { key });

  test("requests per minute: each answer says how many are left, and a refusal when to come back", async () => {
    const key = await fixture.createKey({ limits: { requests_per_minute: 2 } });

    const answers = [await embed(key), await embed(key), await embed(key)];

    const told = answers.map(({ status, headers }) => [
      status,
      headers.get("x-ratelimit-limit-requests"),
      headers.get("x-ratelimit-remaining-requests"),
    ]);
    expect(told).toEqual([
      [200, "2", "1"],
      [200, "2", "0"],
      [429, "2", "0"],
    ]);
    const refused = answers[2] as Response;
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
        "x-should-retry": hopeForTomorrow(),
      },
    });
  });

  test.each([
    { limit: "tokens_per_minute", name: "tokens per min (TPM)", retry: () => null },
    { limit: "tokens_per_day", name: "tokens per day (TPD)", retry: hopeForTomorrow },
  ])(
    "$limit: a request takes about what it will use, and in the end what it has used",
    async ({ limit, name, retry }) => {
      const key = await fixture.createKey({ limits: { [limit]: 100 } });

      // Forty letters look like ten tokens, and are forty.
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
    },
  );

  test("what cannot pass at any time says so", async () => {
    const key = await fixture.createKey({ limits: { tokens_per_minute: 10 } });

    const answer = await embed(key, 44);

    expect(answer.headers.get("retry-after")).toBeNull();
    expect(await refusalOf(answer)).toEqual({
      message:
        "Request too large for this key on tokens per min (TPM): Limit 10, Requested 11. It cannot pass at any time; ask for less at once.",
      headers: {
        "x-ratelimit-limit-tokens": "10",
        "x-ratelimit-remaining-tokens": "10",
        "x-should-retry": "false",
      },
    });
  });

  test.each([
    { limit: "images_per_minute", name: "images per min (IPM)", retry: () => null },
    { limit: "images_per_day", name: "images per day (IPD)", retry: hopeForTomorrow },
  ])(
    "$limit: images are counted, and those that were not made are given back",
    async ({ limit, name, retry }) => {
      const key = await fixture.createKey({ limits: { [limit]: 4 } });

      const statuses = [
        await draw(key, 2),
        await draw(key, 2, "moderated"),
        await fixture.post("/v1/images/generations", { model: "image", prompt: "a", stream: true }, { key }),
      ].map(async (answer) => [answer.status, (await answer.text()).length > 0]);

      expect(await Promise.all(statuses)).toEqual([
        [200, true],
        [400, true],
        [200, true],
      ]);
      expect(await refusalOf(await draw(key, 2))).toEqual({
        message: `Rate limit reached for this key on ${name}: Limit 4, Used 3, Requested 2.`,
        headers: {
          "x-ratelimit-limit-images": "4",
          "x-ratelimit-remaining-images": "1",
          "x-should-retry": retry(),
        },
      });
      expect((await draw(key, 1)).status).toBe(200);
    },
  );

  test("what a failed request was expected to use is given back, but it was a request", async () => {
    const key = await fixture.createKey({ limits: { tokens_per_minute: 10, requests_per_minute: 2 } });

    const failed = await embed(key, 40, "broken");
    const next = await embed(key, 8);

    expect([failed.status, next.status]).toEqual([502, 200]);
    expect(next.headers.get("x-ratelimit-remaining-requests")).toBe("0");
  });

  test("what is refused by the gateway itself takes nothing", async () => {
    const key = await fixture.createKey({ limits: { requests_per_minute: 1 } });

    const refused = [
      await fixture.post("/v1/embeddings", { model: "text", input: 5 }, { key }),
      await embed(key, 4, "nothing"),
      await embed(key, 4, "image"),
    ];

    expect(refused.map(({ status }) => status)).toEqual([400, 404, 400]);
    expect((await embed(key)).status).toBe(200);
  });

  test("concurrent requests: a place is taken while a request is under way, whatever becomes of it", async () => {
    const key = await fixture.createKey({ limits: { max_concurrency: 2 } });
    fixture.upstream.follow({ always: { isHeld: true } });
    const departure = new AbortController();
    const before = fixture.upstream.seen().inFlight;

    const under = [
      fixture.post("/v1/embeddings", { model: "text", input: "one" }, { key, signal: departure.signal }),
      draw(key, 1),
    ].map((sent) => sent.then(({ status }) => status, String));
    await expect.poll(() => fixture.upstream.seen().inFlight, patience).toBe(before + 2);
    const third = await embed(key);
    departure.abort();
    // The place of who left is free as soon as the gateway has noticed.
    await expect.poll(() => fixture.upstream.seen().inFlight, patience).toBe(before + 1);
    fixture.upstream.follow({});
    await Promise.all(under);

    expect(third.headers.get("retry-after")).toBe("1");
    expect(await refusalOf(third)).toEqual({
      message: "Rate limit reached for this key on concurrent requests: Limit 2.",
      headers: { "x-should-retry": null },
    });
    const later = await Promise.all([embed(key, 5), embed(key, 6)]);
    expect(later.map(({ status }) => status)).toEqual([200, 200]);
  });

  test("no place is lost to callers that leave at any moment", async () => {
    const key = await fixture.createKey({ limits: { max_concurrency: 3, tokens_per_day: 1_000_000 } });
    fixture.upstream.follow({ always: { delayMs: [0, 30] } });

    for (let round = 0; round < 20; round += 1) {
      const leaving = Array.from({ length: 3 }, (_, number) => {
        const signal = AbortSignal.timeout(1 + Math.floor(Math.random() * 40));
        const body = { model: "text", input: `${round} ${number}` };
        return fixture
          .post("/v1/embeddings", body, { key, signal })
          .then((answer) => answer.arrayBuffer())
          .catch(() => undefined);
      });
      await Promise.all(leaving);
    }
    fixture.upstream.follow({});

    await expect
      .poll(async () => {
        const answers = await Promise.all([embed(key, 5), embed(key, 6), embed(key, 7)]);
        return answers.map(({ status }) => status);
      }, patience)
      .toEqual([200, 200, 200]);
  });

  test("a model has limits for all keys together", async () => {
    const model = `scarce-${fixture.own}`;
    const keys = [await fixture.createKey(), await fixture.createKey(), await fixture.createKey()];

    const answers = [];
    for (const key of keys) answers.push(await embed(key, 4, model));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(await refusalOf(answers[2] as Response)).toMatchObject({
      message: `Rate limit reached for the model '${model}' on requests per min (RPM): Limit 2, Used 2, Requested 1.`,
    });
  });

  test("another limit holds at once, with what was used under the old one", async () => {
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

  test("a key of the file has other limits when the file is read again", async () => {
    const key = { value: testKey };
    const limit = async () => (await embed(key)).headers.get("x-ratelimit-limit-requests");
    expect(await limit()).toBe("1000");

    fixture.home.configure(fixture.config({ requestsPerMinute: 2000 }));

    await expect.poll(limit, patience).toBe("2000");
  });
});
