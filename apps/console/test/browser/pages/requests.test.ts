import { expect, test } from "vitest";
import { describeInBrowser } from "../../../../docs/test/open-browser.js";
import { AdminClient } from "../../../../gateway/test/gateway/admin-client.js";
import { testAdminKey } from "../../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "../suite-console.js";

describeInBrowser("the page of requests", () => {
  const suite = suiteConsole({ provoked: /^400 for / });

  test("a request appears, opens beside the list, and its address can be sent to a colleague", async () => {
    const { site, gateway } = suite;
    await gateway.sendJson("/v1/embeddings", { model: "text-embedding-3-small", input: "a" });
    await site.signIn(testAdminKey, "#/requests?operation=createEmbedding");
    const rows = site.page.locator("tbody tr");
    await expect
      .poll(async () => {
        await site.page.reload();
        await site.loaded("Requests");
        return rows.count();
      })
      .toBeGreaterThan(0);

    await rows.first().click();

    const sheet = site.page.getByRole("dialog");
    await sheet.getByText("text-embedding-3-small").waitFor();
    await expect.poll(() => site.page.url()).toContain("request=req_");
    await site.page.reload();
    await sheet.getByText("text-embedding-3-small").waitFor();
    await site.page.goBack();
    await expect.poll(() => sheet.count()).toBe(0);
    await expect.poll(() => new URL(site.page.url()).hash).toBe("#/requests?operation=createEmbedding");
  });

  test("a sheet is one step of the history, however it is closed", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, "#/usage");
    await site.choose("Requests");
    const sheet = site.page.getByRole("dialog");
    for (const _ of ["first", "second"]) {
      await site.page.locator("tbody tr").first().click();
      await sheet.waitFor();
      await site.page.keyboard.press("Escape");
      await expect.poll(() => sheet.count()).toBe(0);
    }

    await site.page.goBack();

    await site.loaded("Usage");
  });

  test("a failed request says why, with links to the code's page and to the upstream", async () => {
    const { site, gateway, upstream } = suite;
    upstream.follow({
      always: {
        faults: [
          {
            kind: "reply",
            status: 400,
            body: { error: { message: "Bad: a fox", code: "bad_word", param: "input" } },
          },
        ],
      },
    });
    const refused = await gateway.sendJson("/v1/embeddings", {
      model: "text-embedding-3-small",
      input: "a fox",
    });
    const id = refused.headers.get("x-request-id");
    // Before it is recorded, its page has a 404, which is a complaint of the browser.
    await new AdminClient(gateway.url).rowOf(refused);
    await site.signIn(testAdminKey, `#/requests?request=${id}`);
    const sheet = site.page.getByRole("dialog");
    await sheet.getByText("Why it failed").waitFor();

    const why = sheet.getByRole("region", { name: "Why it failed" });
    const text = await why.textContent();
    expect(text).toContain("The upstream refused the request with status 400 and code bad_word.");
    expect(text).not.toContain("a fox");
    const code = why.getByRole("link", { name: "upstream_rejected" });
    expect((await fetch((await code.getAttribute("href")) ?? "")).status).toBe(200);
    expect(await why.getByRole("row", { name: /^fake/ }).textContent()).toContain("400");
    await why.getByRole("link", { name: "fake" }).click();
    await site.loaded("Upstreams");
  });

  test("another caller's request is announced by the event stream, and not pushed into the list", async () => {
    const { site, gateway } = suite;
    await site.signIn(testAdminKey, "#/upstreams");
    await site.page.getByText(/Updated live\./).waitFor();
    await site.choose("Requests");
    const rows = site.page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBeGreaterThan(0);
    const shown = await rows.count();

    await gateway.sendJson("/v1/embeddings", { model: "text-embedding-3-small", input: "b" });
    const newer = site.page.getByRole("button", { name: /newer$/ });
    await newer.waitFor();
    expect(await rows.count()).toBe(shown);
    await newer.click();

    await expect.poll(() => rows.count()).toBeGreaterThan(shown);
  });

  test("filters that nothing fits can be cleared", async () => {
    const { site } = suite;
    await site.signIn(testAdminKey, "#/requests?model=no-such-model");

    await site.page.getByText("No request fits.").waitFor();
    await site.page.getByRole("link", { name: "Clear filters" }).click();

    await expect.poll(() => new URL(site.page.url()).hash).toBe("#/requests");
  });
});
