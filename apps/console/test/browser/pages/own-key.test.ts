import { expect, test } from "vitest";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import { testAdminKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "../suite-console.js";

describeInBrowser("the page of the own key", () => {
  const suite = suiteConsole();

  test("a caller sees the own key, its limits and its requests, and no others", async () => {
    const { site, gateway } = suite;
    const headers = { authorization: `Bearer ${testAdminKey}` };
    const body = { name: "own view", limits: { requests_per_minute: 5 }, budget: { usd: 2, per: "month" } };
    const response = await gateway.sendJson("/admin/v1/keys", body, { headers });
    const { value } = (await response.json()) as Record<string, string>;
    const own = { headers: { authorization: `Bearer ${value}` } };
    const sent = await gateway.sendJson("/v1/embeddings", { model: "no-such-model", input: "a" }, own);
    const id = sent.headers.get("x-request-id") ?? "";
    const recorded = async () => (await gateway.send(`/v1/key/requests/${id}`, own)).status;
    await expect.poll(recorded).toBe(200);

    await site.signIn(value ?? "");
    await site.loaded("Your key");

    await site.page.getByText("no budget").waitFor({ state: "detached" });
    await site.page.getByText("of $2.00 a month").waitFor();
    await site.page.getByRole("row", { name: "Requests a minute 5" }).waitFor();
    const rows = site.page.getByRole("region", { name: "Requests of this key" }).locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(1);
    await rows.first().click();
    const sheet = site.page.getByRole("dialog", { name: "Request" });
    await sheet.getByText(id).waitFor();
    await sheet.getByText("no-such-model", { exact: true }).waitFor();
    await sheet.getByRole("link", { name: "model_not_found" }).waitFor();
    await expect.poll(() => new URL(site.page.url()).hash).toContain(`request=${id}`);
  });
});
