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

  test("the rehearsal says which model would be lost", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, "#/upstreams");

    await site.page.getByLabel("fake is down").check();

    const row = site.page.getByRole("row", { name: /text-embedding-3-small lost/ });
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
});
