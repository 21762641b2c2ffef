import { afterAll, beforeAll, expect, test } from "vitest";
import { examine } from "../../../docs/test/examine.js";
import { describeInBrowser } from "../../../docs/test/open-browser.js";
import { type FakeUpstream, startFakeUpstream } from "../../../gateway/test/fake-upstream/fake-upstream.mjs";
import { type BuiltGateway, startBuiltGateway } from "../../../gateway/test/gateway/built.js";
import { testAdminKey, testKey } from "../../../gateway/test/gateway/test-gateway.js";
import { ConsolePage, operatorPages } from "./console-page.js";

const views = (["light", "dark"] as const).flatMap((theme) => [1280, 390].map((width) => ({ theme, width })));

let upstream: FakeUpstream;
let gateway: BuiltGateway;
let site: ConsolePage;

describeInBrowser("the console for everyone", () => {
  beforeAll(async () => {
    upstream = await startFakeUpstream({ script: { always: { width: 32 } } });
    gateway = await startBuiltGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text-embedding-3-small: { type: embedding, targets: [{ upstream: fake, model: text-embedding-3-small }] }
  gpt-image-2: { type: image, targets: [{ upstream: fake, model: gpt-image-2 }] }
`);
    await gateway.sendJson("/v1/embeddings", { model: "text-embedding-3-small", input: "a" });
    site = await ConsolePage.open(`${gateway.url}/console/`);
  });
  afterAll(async () => {
    await site.close();
    await gateway.stop();
    await upstream.close();
  });

  test.each(views)("axe finds nothing, in $theme and $width pixels wide", async ({ theme, width }) => {
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

    await site.signIn(testKey);
    await site.loaded("Your key");
    findings["Your key"] = await examine(site.page);

    const pages = ["Sign in", ...operatorPages, "Your key"];
    expect(findings).toEqual(Object.fromEntries(pages.map((name) => [name, []])));
  });

  test("on a phone the menu and the filters are behind buttons", async () => {
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
