import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { examine } from "../../../docs/test/examine.js";
import { describeInBrowser } from "../../../docs/test/open-browser.js";
import { AdminClient } from "../../../gateway/test/gateway/admin-client.js";
import { testAdminKey, testKey } from "../../../gateway/test/gateway/test-gateway.js";
import { operatorPages } from "./console-page.js";
import { suiteConsole } from "./suite-console.js";

const views = (["light", "dark"] as const).flatMap((theme) => [1280, 390].map((width) => ({ theme, width })));

describeInBrowser("the console for everyone", () => {
  const suite = suiteConsole({
    config: (baseUrl) => `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  text-embedding-3-small: { type: embedding, targets: [{ upstream: fake, model: text-embedding-3-small }] }
  gpt-image-2: { type: image, targets: [{ upstream: fake, model: gpt-image-2 }] }
`,
  });
  /** The address of each sheet and dialog. */
  let sheets: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const { gateway } = suite;
    const admin = new AdminClient(gateway.url);
    const { id: key } = await admin.createKey({ name: "crawler", owner: "search team" });
    const failed = await gateway.sendJson("/v1/embeddings", { model: "no-such-model", input: "a" });
    await admin.rowOf(failed);
    sheets = {
      "a code sample": "#/models?use=text-embedding-3-small",
      "a failed request": `#/requests?request=${failed.headers.get("x-request-id")}`,
      "a new key": "#/keys?create=key",
      "a key": `#/keys?key=${key}`,
      "a target": "#/upstreams?probe=fake+text-embedding-3-small+text-embedding-3-small",
    };
  });

  test.each(views)("axe finds nothing, in $theme and $width pixels wide", async ({ theme, width }) => {
    const { site } = suite;
    await site.page.setViewportSize({ width, height: 860 });
    await site.page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    const findings: Record<string, string[]> = {};
    await site.arrive();
    await site.page.getByLabel("Key").waitFor();
    findings["Sign in"] = await examine(site.page);

    await site.signIn(testAdminKey);
    for (const name of operatorPages) {
      await site.choose(name);
      if (name === "Embeddings") {
        await site.page.getByRole("button", { name: "Embed", exact: true }).click();
        await site.page.locator(".matrix").waitFor();
      }
      findings[name] = await examine(site.page);
    }
    for (const [name, place] of Object.entries(sheets)) {
      await site.page.goto(`${site.address}${place}`);
      findings[name] = await examineDialog(site.page);
    }
    await site.page.keyboard.press("Control+k");
    findings.search = await examineDialog(site.page);

    await site.signIn(testKey);
    await site.loaded("Your key");
    findings["Your key"] = await examine(site.page);

    const places = ["Sign in", ...operatorPages, ...Object.keys(sheets), "search", "Your key"];
    expect(findings).toEqual(Object.fromEntries(places.map((name) => [name, []])));
  });

  test("on a phone the menu and the filters are behind buttons", async () => {
    const { site } = suite;
    await site.page.setViewportSize({ width: 390, height: 844 });
    await site.signIn(testAdminKey, "#/requests?failed=true&cache=hit");
    await site.loaded("Requests");
    const pages = site.page.getByRole("navigation");
    expect(await pages.isVisible()).toBe(false);
    expect(await site.page.getByLabel("Outcome").isVisible()).toBe(false);

    await site.page.getByRole("button", { name: "Filters (2)" }).click();
    await expect.poll(() => site.page.getByLabel("Outcome").inputValue()).toBe("true");
    await site.openMenu();
    expect(await examine(site.page)).toEqual([]);
    await pages.getByRole("link", { name: "Keys" }).click();

    await site.loaded("Keys");
    await expect.poll(() => pages.isVisible()).toBe(false);
  });

  test.each([
    { what: "a phone", width: 390, height: 844 },
    { what: "a screen of 1280 pixels at a zoom of 200 %", width: 640, height: 430 },
  ])("nothing is cut off on $what", async ({ width, height }) => {
    const { site } = suite;
    await site.page.setViewportSize({ width, height });
    await site.signIn(testAdminKey);
    const widths: Record<string, unknown> = {};
    for (const name of operatorPages) {
      await site.choose(name);
      widths[name] = await site.page.evaluate("document.documentElement.scrollWidth");
    }

    expect(widths).toEqual(Object.fromEntries(operatorPages.map((name) => [name, width])));
  });
});

/** Examines the dialog that is opening, and closes it. */
async function examineDialog(page: Page): Promise<string[]> {
  const dialog = page.locator("dialog[open]");
  await dialog.waitFor();
  await dialog.locator(".bones").first().waitFor({ state: "detached" });
  const findings = await examine(page, "dialog[open]");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  return findings;
}
