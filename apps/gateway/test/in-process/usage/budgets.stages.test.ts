import { expect, test } from "vitest";
import { describeUsage } from "./usage-fixture.js";

describeUsage("budgets", (fixture) => {
  const embed = (key: { value: string }, letters: number, model = "text") =>
    fixture.post("/v1/embeddings", { model, input: "a".repeat(letters) }, { key });

  test.each(["day", "month"] as const)(
    "a spent budget per %s refuses requests, and stops clients from retrying",
    async (per) => {
      const key = await fixture.createKey({ budget: { usd: 0.02, per } });

      // A letter is a token and costs $0.001; the estimate is one token for four letters.
      const passed = [await embed(key, 8), await embed(key, 11)];
      const refused = await embed(key, 8);

      expect(passed.map(({ status }) => status)).toEqual([200, 200]);
      expect([refused.status, refused.headers.get("x-should-retry")]).toEqual([429, "false"]);
      expect(refused.headers.get("retry-after")).toBeNull();
      expect(await refused.json()).toEqual({
        error: {
          message: expect.stringMatching(
            new RegExp(
              `^You exceeded the budget of this key: Limit \\$0\\.02 a ${per} \\(UTC\\), Spent \\$0\\.019000, Requested about \\$0\\.002000\\. It is renewed at \\d{4}-\\d\\d-\\d\\dT00:00:00Z\\.$`,
            ),
          ),
          type: "insufficient_quota",
          param: null,
          code: "insufficient_quota",
        },
      });
      // The rest is enough for a smaller request.
      expect((await embed(key, 4)).status).toBe(200);
    },
  );

  test("failures, cache hits and replays cost nothing, and requests without a price pass", async () => {
    const key = await fixture.createKey({ budget: { usd: 0.3, per: "day" } });
    const createImage = (model: string, headers = {}) =>
      fixture.post("/v1/images/generations", { model, prompt: "a fox" }, { key, headers });
    const input = `budget ${fixture.own}`;

    const statuses = [
      await embed(key, 40, "broken"),
      await createImage("moderated"),
      await fixture.post("/v1/embeddings", { model: "cached", input }, { key }),
      await fixture.post("/v1/embeddings", { model: "cached", input }, { key }),
      await createImage("unpriced-image"),
      await createImage("image", { "idempotency-key": "once" }),
      // A replay passes with any rest of the budget.
      await createImage("image", { "idempotency-key": "once" }),
    ].map(({ status }) => status);

    expect(statuses).toEqual([502, 400, 200, 200, 200, 200, 200]);
    // $0.25 for the image and $0.015 for the first embedding.
    const refused = await createImage("image");
    expect(await refused.json()).toMatchObject({
      error: { code: "insufficient_quota", message: expect.stringContaining("Spent $0.265000,") },
    });
  });

  test("money reserved for requests in flight is not reserved twice", async () => {
    const key = await fixture.createKey({ budget: { usd: 0.5, per: "day" } });
    fixture.upstream.follow({ always: { isHeld: true } });
    const before = fixture.upstream.seen().inFlight;
    const createImage = () =>
      fixture.post("/v1/images/generations", { model: "image", prompt: "a fox", n: 2 }, { key });

    const passing = createImage();
    await expect.poll(() => fixture.upstream.seen().inFlight).toBe(before + 1);
    const refused = await createImage();
    fixture.upstream.follow({});
    const passed = await passing;

    expect([passed.status, refused.status]).toEqual([200, 429]);
    // Reserved money may come free in a moment.
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toMatchObject({ error: { code: "rate_limit_exceeded" } });
  });

  test("earlier spending counts after a restart", async () => {
    const key = await fixture.createKey({ budget: { usd: 0.3, per: "month" } });
    const createImage = () =>
      fixture.post("/v1/images/generations", { model: "image", prompt: "a fox" }, { key });
    expect((await createImage()).status).toBe(200);

    await fixture.restart();

    const refused = await createImage();
    expect(await refused.json()).toMatchObject({
      error: { code: "insufficient_quota", message: expect.stringContaining("Spent $0.25,") },
    });
  });

  test("a changed budget takes effect at once", async () => {
    const key = await fixture.createKey({ budget: { usd: 0.01, per: "day" } });
    expect([(await embed(key, 10)).status, (await embed(key, 1)).status]).toEqual([200, 429]);

    await fixture.admin().changeKey(key.id, { budget: { usd: 0.02, per: "day" } });
    const raised = [await embed(key, 10), await embed(key, 1)];
    await fixture.admin().changeKey(key.id, { budget: null });
    const without = await embed(key, 10);

    expect(raised.map(({ status }) => status)).toEqual([200, 429]);
    expect(without.status).toBe(200);
  });
});
