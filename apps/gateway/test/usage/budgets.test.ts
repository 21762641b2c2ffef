import { expect, test } from "vitest";
import { describeUsage } from "./usage-fixture.js";

describeUsage("budgets", (fixture) => {
  const embed = (key: { value: string }, letters: number, model = "text") =>
    fixture.post("/v1/embeddings", { model, input: "a".repeat(letters) }, { key });

  test.each(["day", "month"] as const)(
    "by the %s: what is spent is spent, and no retry helps",
    async (per) => {
      const key = await fixture.createKey({ budget: { usd: 0.02, per } });

      // A letter costs a thousandth of a dollar, and four of them look like one.
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
      // What is left is enough for less.
      expect((await embed(key, 4)).status).toBe(200);
    },
  );

  test("what failed, came from the cache or was replayed is not spent; what has no price passes", async () => {
    const key = await fixture.createKey({ budget: { usd: 0.3, per: "day" } });
    const draw = (model: string, headers = {}) =>
      fixture.post("/v1/images/generations", { model, prompt: "a fox" }, { key, headers });
    const input = `budget ${fixture.own}`;

    const statuses = [
      await embed(key, 40, "broken"),
      await draw("moderated"),
      await fixture.post("/v1/embeddings", { model: "cached", input }, { key }),
      await fixture.post("/v1/embeddings", { model: "cached", input }, { key }),
      await draw("unpriced-image"),
      await draw("image", { "idempotency-key": "once" }),
      // What was paid for is given again, whatever is left.
      await draw("image", { "idempotency-key": "once" }),
    ].map(({ status }) => status);

    expect(statuses).toEqual([502, 400, 200, 200, 200, 200, 200]);
    // 0.25 for the image and 0.015 for the text that was not cached yet.
    const refused = await draw("image");
    expect(await refused.json()).toMatchObject({
      error: { code: "insufficient_quota", message: expect.stringContaining("Spent $0.265000,") },
    });
  });

  test("money that requests under way may need is not promised twice", async () => {
    const key = await fixture.createKey({ budget: { usd: 0.5, per: "day" } });
    fixture.upstream.follow({ always: { delayMs: 300 } });
    const draw = () =>
      fixture.post("/v1/images/generations", { model: "image", prompt: "a fox", n: 2 }, { key });

    const answers = await Promise.all([draw(), draw()]);

    const [passed, refused] = answers.sort((left, right) => left.status - right.status);
    expect([passed?.status, refused?.status]).toEqual([200, 429]);
    // What is held may be free again in a moment.
    expect(refused?.headers.get("retry-after")).toBe("1");
    expect(await refused?.json()).toMatchObject({ error: { code: "rate_limit_exceeded" } });
  });

  test("a restart forgets nothing that was spent", async () => {
    const key = await fixture.createKey({ budget: { usd: 0.3, per: "month" } });
    const draw = () => fixture.post("/v1/images/generations", { model: "image", prompt: "a fox" }, { key });
    expect((await draw()).status).toBe(200);

    await fixture.restart();

    const refused = await draw();
    expect(await refused.json()).toMatchObject({
      error: { code: "insufficient_quota", message: expect.stringContaining("Spent $0.25,") },
    });
  });

  test("another budget holds at once", async () => {
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
