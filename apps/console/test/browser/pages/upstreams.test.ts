import { expect, test } from "vitest";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import { testAdminKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "../suite-console.js";

describeInBrowser("the page of upstreams", () => {
  const suite = suiteConsole({
    config: (baseUrl) => `
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${baseUrl}" }
  twin: { provider: openai-compatible, baseUrl: "${baseUrl}" }
models:
  pair: { type: embedding, targets: [{ upstream: fake, model: pair-a, space: pair }, { upstream: fake, model: pair-c, space: pair }, { upstream: twin, model: pair-b, space: pair }] }
  saved: { type: embedding, targets: [{ upstream: fake, model: saved-a, space: saved }, { upstream: twin, model: saved-b, space: saved, tier: 2 }] }
  text-embedding-3-small: { type: embedding, targets: [{ upstream: fake, model: text-embedding-3-small }] }
`,
    provoked: /^502 for /,
  });

  test("a target is tried from the page of upstreams", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, "#/upstreams");

    await site.page.getByRole("link", { name: "Try now fake / text-embedding-3-small" }).click();
    await site.page.getByRole("dialog").getByRole("button", { name: "Try now" }).click();

    await site.page.getByText(/It replied in/).waitFor();
  });

  test("at 1280 pixels no column is cut, with times of four digits", async () => {
    const { site, gateway } = suite;
    await site.page.setViewportSize({ width: 1280, height: 860 });
    await site.page.route(`${gateway.url}/admin/v1/upstreams`, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { targets: Record<string, unknown>[] }[] };
      const latency = { calls: 20, p50_ms: 1535, p95_ms: 9876, last_at: Math.floor(Date.now() / 1000) - 120 };
      for (const { targets } of body.data) for (const target of targets) target.latency = latency;
      await route.fulfill({ response, json: body });
    });
    await site.signIn(testAdminKey, "#/upstreams");
    const table = site.page.getByRole("region", { name: "Targets of fake", exact: true });
    await table.getByText("1,535 ms / 9,876 ms").first().waitFor();

    expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await site.page.unroute(`${gateway.url}/admin/v1/upstreams`);
  });

  test("the rehearsal says which model would be unavailable", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, "#/upstreams");

    await site.page.getByLabel("fake is down").check();

    const row = site.page.getByRole("row", { name: /text-embedding-3-small unavailable/ });
    await row.waitFor();
    await site.page.reload();
    await row.waitFor();
  });

  test("the doctor compares the targets of a model, says what to do, and tolerates a dead one", async () => {
    const { site, upstream } = suite;
    await site.signIn(testAdminKey, "#/upstreams");
    const examine = site.page.getByRole("button", { name: "Examine" });
    const verdict = (text: RegExp) => site.page.getByRole("status").filter({ hasText: text }).waitFor();

    await examine.click();
    await site.page.getByRole("row", { name: /^fake \/ pair-c 32 .* 1\.0000 16 of 16 same/ }).waitFor();
    await site.page.getByRole("row", { name: /^twin \/ pair-b 32 .* 1\.0000 16 of 16 same/ }).waitFor();
    await verdict(/^Safe to mix: 3 targets give the same vectors, so nothing needs to be done\.$/);
    const asked = upstream.received
      .slice(-3)
      .map(({ body }) => `${body.model} ${(body.input as unknown[]).length}`);
    expect(asked.sort()).toEqual(["pair-a 16", "pair-b 16", "pair-c 16"]);

    await upstream.follow({
      always: { width: 32 },
      models: { "pair-a": { faults: [{ kind: "reply", status: 401 }] }, "pair-b": { width: 16 } },
    });
    await examine.click();
    await site.page.getByRole("row", { name: /^fake \/ pair-a – – – – no reply/ }).waitFor();
    await site.page.getByRole("row", { name: /^twin \/ pair-b 16 .* different width/ }).waitFor();
    await verdict(
      /^Do not mix: twin \/ pair-b gives .*; fake \/ pair-a did not reply, so examine again later\.$/,
    );
  });

  test("the last verdict is kept: on the page, the overview, the model's card and in the rehearsal", async () => {
    const { site, upstream } = suite;
    const { page } = site;
    const visit = async (address: string) => {
      await page.goto(`${new URL(page.url()).origin}/console/${address}`);
      await page.reload();
    };
    await upstream.follow({ always: { width: 32 }, models: { "pair-b": { width: 16 } } });
    await site.signIn(testAdminKey, "#/upstreams?examine=pair&section=doctor");
    await page.getByRole("button", { name: "Examine" }).click();
    await page.getByRole("row", { name: /^twin \/ pair-b 16 .* different width/ }).waitFor();

    await visit("#/upstreams?examine=pair&section=doctor&down=fake");
    await page
      .getByRole("status")
      .filter({ hasText: /^Do not mix: twin \/ pair-b / })
      .waitFor();
    await page.getByText(/^Compared .*The last comparison of each model is kept/).waitFor();
    const moved = page.getByRole("row", { name: /^pair moves/ });
    await moved.getByText("different vectors").waitFor();

    await visit("#/models?model=pair");
    const card = page.getByRole("article", { name: "pair" });
    await card.getByText("different vectors").waitFor();
    await card.getByText(/^Do not mix: twin \/ pair-b /).waitFor();

    await visit("#/");
    await page.getByText(/^pair has targets with different vectors/).waitFor();
    await upstream.follow({ always: { width: 32 } });
    await page.getByRole("link", { name: /^View: pair has targets with different vectors/ }).click();
    await page.getByRole("button", { name: "Examine again" }).click();
    await page
      .getByRole("status")
      .filter({ hasText: /^Safe to mix: 3 targets/ })
      .waitFor();
    await visit("#/");
    await page.getByRole("heading", { name: "Needs attention" }).waitFor();
    await expect.poll(() => page.getByText(/^pair has targets with different vectors/).count()).toBe(0);
  });

  test("failures that another target made up for are shown with their reasons, and lead to the requests", async () => {
    const { site, gateway, upstream } = suite;
    const { page } = site;
    await upstream.follow({
      always: { width: 32 },
      models: { "saved-a": { faults: [{ kind: "reply", status: 503 }] } },
    });
    const saved = await gateway.sendJson("/v1/embeddings", { model: "saved", input: "a" });
    expect([saved.status, saved.headers.get("x-gateway-upstream")]).toEqual([200, "twin"]);

    await site.signIn(testAdminKey, "#/upstreams");
    const row = page.getByRole("table", { name: "Targets of fake" }).getByRole("row", { name: /^saved-a/ });
    await row.getByText(/1 failed call in 24 hours/).waitFor();
    await row.getByText(/The upstream is overloaded/).waitFor();
    const failed = row.getByRole("link", { name: "Requests that failed at fake" });
    expect(await failed.getAttribute("href")).toBe("#/requests?time=24h&failed=true&upstream=fake");
    await row.getByRole("link", { name: /Requests that a retry saved/ }).click();

    const found = page.getByRole("row", { name: /saved .*twin\s*after fake failed/ });
    await expect
      .poll(async () => {
        await page.reload();
        await site.loaded("Requests");
        return found.count();
      })
      .toBe(1);
    expect(await page.getByLabel("Outcome").inputValue()).toBe("recovered");
    expect(await page.getByLabel("Failed first at").inputValue()).toBe("fake");
    await found.click();
    const sheet = page.getByRole("dialog").getByRole("region", { name: "Recovered by a retry" });
    await sheet.getByText(/fake failed, and another call succeeded/).waitFor();
    await sheet.getByRole("row", { name: /saved-a 503 .*The upstream is overloaded/ }).waitFor();
  });
});
