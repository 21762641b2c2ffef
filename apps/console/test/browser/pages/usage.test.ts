import { expect, test } from "vitest";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import { AdminClient } from "../../../../gateway/test/gateway/admin-client.js";
import { testAdminKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "../suite-console.js";

describeInBrowser("the page of usage", () => {
  const suite = suiteConsole({
    config: (baseUrl) => `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  priced: { type: embedding, price: { perMillionTokens: 1000 }, targets: [{ upstream: fake, model: priced }] }
`,
  });

  test("each name leads to what is behind it, and the sums are those of the budgets", async () => {
    const { site, gateway } = suite;
    const admin = new AdminClient(gateway.url);
    const budget = { usd: 1, per: "month" } as const;
    const { id, value } = await admin.createKey({ name: "crawler", owner: "search team", budget });
    // A letter is a token and costs $0.001.
    const body = { model: "priced", input: "a".repeat(120) };
    const headers = { authorization: `Bearer ${value}` };
    await admin.rowOf(await gateway.sendJson("/v1/embeddings", body, { headers }));
    await site.signIn(testAdminKey, "#/usage?time=month&by=owner");

    const open = (name: string) => site.page.getByRole("link", { name, exact: true }).click();
    await open("search team");
    await site.page.getByRole("row", { name: /^crawler \$0\.12 \$0\.12 of \$1\.00 a month/ }).waitFor();
    await site.page.locator(".budget").getByText("$0.12 of $1.00").waitFor();
    await open("crawler");
    await site.page.getByRole("row", { name: /^priced \$0\.12 / }).waitFor();
    await open("priced");
    await site.loaded("Requests");
    expect(new URL(site.page.url()).hash).toBe(`#/requests?time=month&key=${id}&model=priced`);
    await expect.poll(() => site.page.locator("tbody tr").count()).toBe(1);
    await site.page.goBack();
    await site.page.getByText("owner search team · key crawler").waitFor();
  });
});
