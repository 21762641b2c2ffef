import { expect, test } from "vitest";
import { describeInBrowser } from "../../../docs/test/open-browser.js";
import { AdminClient } from "../../../gateway/test/gateway/admin-client.js";
import { testAdminKey, testKey } from "../../../gateway/test/gateway/test-gateway.js";
import { suiteConsole } from "./suite-console.js";

describeInBrowser("signing in and out", () => {
  const suite = suiteConsole({ provoked: /^401 for / });

  test("the start prints the address of the console", () => {
    const { site, gateway } = suite;
    expect(gateway.stdout()).toMatch(new RegExp(`^ {2}Console +${site.address}$`, "m"));
  });

  test("a wrong key is refused with a sentence, and the address is kept", async () => {
    const { site } = suite;
    await site.arrive("#/usage?by=key");

    await site.page.getByLabel("Key").fill("not-a-key-0123456789");
    await site.page.getByRole("button", { name: "Sign in" }).click();

    await expect
      .poll(() => site.page.getByRole("alert").textContent())
      .toBe("This gateway does not know that key.");
    await expect.poll(() => new URL(site.page.url()).hash).toBe("#/usage?by=key");
  });

  test("a developer sees the own key, the models and the playground, and an operator's address leads to the key", async () => {
    const { site } = suite;
    await site.signIn(testKey, "#/usage?by=key");

    await site.loaded("Your key");
    const menu = await site.page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link")
      .allTextContents();
    expect(menu).toEqual(["Your key", "Models", "Embeddings", "Images", "Jobs"]);
    await site.choose("Embeddings");
    await site.page.goto(`${site.address}#/keys`);
    await site.loaded("Your key");
    await expect.poll(() => new URL(site.page.url()).hash).toBe("#/key");
  });

  test("a new tab is signed in, and signing out there ends every tab", async () => {
    const { site, gateway } = suite;
    const sent = await gateway.sendJson("/v1/embeddings", { model: "text-embedding-3-small", input: "a" });
    await new AdminClient(gateway.url).rowOf(sent);
    await site.signIn(testAdminKey, "#/requests");
    const opened = site.page.context().waitForEvent("page");
    await site.page.locator("tbody th a").first().click({ button: "middle" });
    const tab = await opened;

    await tab.getByRole("dialog", { name: "Request" }).getByText("text-embedding-3-small").waitFor();
    await tab.keyboard.press("Escape");
    await tab.getByRole("button", { name: "Sign out" }).click();

    await site.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await tab.close();
  });

  test("a session that the gateway has ended leads to the sign-in once, and back to the page after it", async () => {
    const { site, gateway } = suite;
    await site.signIn(testAdminKey, "#/usage?by=key");
    await site.loaded("Usage");

    await fetch(`${gateway.url}/admin/v1/sessions/current`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${await site.token()}` },
    });

    await site.page.getByText("Your session is over.").waitFor();
    await site.page.getByLabel("Key").fill(testAdminKey);
    await site.page.getByRole("button", { name: "Sign in" }).click();
    await site.loaded("Usage");
    await expect.poll(() => site.page.getByLabel("Group by", { exact: true }).inputValue()).toBe("key");
  });

  test("signing out ends the session on the server and leaves nothing in the browser", async () => {
    const { site, gateway } = suite;
    await site.signIn(testAdminKey);
    const token = await site.token();
    const headers = { authorization: `Bearer ${token}` };

    await site.page.getByRole("button", { name: "Sign out" }).click();

    await site.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await expect.poll(async () => (await gateway.send("/v1/models", { headers })).status).toBe(401);
    expect(await site.page.evaluate("JSON.stringify({ ...sessionStorage })")).toBe("{}");
  });

  test("neither a key nor a token is in an address, in localStorage, in a cookie or in the log", async () => {
    const { site, gateway } = suite;
    await site.signIn(testAdminKey);
    const token = await site.token();
    const kept: string = await site.page.evaluate("JSON.stringify({ ...localStorage }) + document.cookie");

    for (const secret of [testAdminKey, testKey, token])
      expect([kept, ...site.addresses, gateway.stdout()].filter((text) => text.includes(secret))).toEqual([]);
  });
});
