import type { Server } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { examine, examineColours } from "../examine.js";
import { describeInBrowser, openBrowser, type WatchedPage } from "../open-browser.js";
import { serveSite } from "../serve-site.js";
import { siteFolder } from "../site-files.js";
import { openAll, templates } from "../templates.js";

const views = templates.flatMap((address) => [1440, 390].map((width) => ({ address, width })));

let site: { url: string; server: Server };
let watched: WatchedPage;

describeInBrowser("the site in a browser", () => {
  beforeAll(async () => {
    site = await serveSite(siteFolder);
    watched = await openBrowser();
    await watched.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    // Only a hang takes this long.
    watched.page.setDefaultTimeout(120_000);
  });

  afterAll(async () => {
    await watched.close();
    site.server.close();
  });

  beforeEach(() => watched.page.setViewportSize({ width: 1440, height: 900 }));

  test.each(views)("axe finds nothing on '$address', $width pixels wide, in both themes", async (view) => {
    const { page } = watched;
    await look({ ...view, theme: "light" });
    await page.evaluate(openAll);
    expect(await examine(page)).toEqual([]);
    const content = await page.content();

    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });

    expect(await examineColours(page)).toEqual([]);
    // So the rules about its structure have nothing else to find.
    expect(await page.content()).toBe(content);
  });

  test("axe finds nothing in the search", async () => {
    const { page } = watched;
    await look({ address: "decisions/", theme: "light", width: 390 });
    await page.locator("#open-search").click();
    await page.getByRole("searchbox", { name: "Search" }).fill("limits");
    await page.locator(".results a").first().waitFor();

    expect(await examine(watched.page)).toEqual([]);
  });

  test("the menu of a phone opens, and leads to a page", async () => {
    const { page } = watched;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(site.url);

    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Scheduling" }).click();

    await page.getByRole("heading", { level: 1, name: "Scheduling" }).waitFor();
  });

  test("samples name the gateway that serves the page, and Copy copies them", async () => {
    const { page } = watched;
    await page.goto(`${site.url}reference/createEmbedding/`);
    const origin = new URL(site.url).origin;
    const sample = page.locator(".samples .panel").first();

    await expect.poll(() => sample.textContent()).toContain(`curl ${origin}/v1/embeddings`);
    await sample.hover();
    await sample.getByRole("button", { name: "Copy" }).click();

    await expect
      .poll(() => page.evaluate("navigator.clipboard.readText()"))
      .toContain(`${origin}/v1/embeddings`);
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain("$GATEWAY_KEY");
  });

  test("the language that was chosen stays chosen on the next page", async () => {
    const { page } = watched;
    await page.goto(`${site.url}reference/createEmbedding/`);
    await page.getByText("Python", { exact: true }).click();
    await page.goto(`${site.url}reference/createImage/`);

    await expect
      .poll(() => page.locator(".samples .panel:visible").first().textContent())
      .toContain("import os");
  });

  test("the theme can be changed, and stays", async () => {
    const { page } = watched;
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(site.url);
    await page.getByRole("button", { name: "Change the theme" }).click();
    await page.goto(`${site.url}errors/`);

    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page.evaluate("localStorage.clear()");
  });

  test("the keyboard alone opens the search and the page it finds", async () => {
    const { page } = watched;
    await page.goto(`${site.url}guides/deploy/`);
    await page.locator("#open-search:not([hidden])").waitFor();

    await page.keyboard.press("/");
    await page.getByRole("searchbox", { name: "Search" }).waitFor();
    await page.keyboard.type("model_not_found");
    await page.locator(".results a").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");

    await page.getByRole("heading", { level: 1, name: "model_not_found" }).waitFor();
  });

  test("a result shows the text around the hit, and marks it", async () => {
    const { page } = watched;
    await page.goto(`${site.url}guides/deploy/`);
    await page.locator("#open-search:not([hidden])").click();
    await page.getByRole("searchbox", { name: "Search" }).fill("429");

    const first = page.locator(".results a").first();
    await expect.poll(() => first.textContent()).toContain("Errors › 429 Too Many Requests");
    await expect.poll(() => page.locator(".results mark").allTextContents()).toContain("429");
  });

  test("at an address that does not exist, the words of the address are searched for", async () => {
    const { page, close } = await openBrowser();
    const response = await page.goto(`${site.url}guides/circuit-breaker/`);
    await page.locator("#find .results a").first().waitFor();

    expect(response?.status()).toBe(404);
    expect(await page.getByRole("searchbox", { name: "Search" }).inputValue()).toBe("circuit breaker");
    expect(await examine(page)).toEqual([]);
    await page.getByRole("link", { name: "Scheduling" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Scheduling" }).waitFor();
    await close();
  });

  test("the list of codes can be filtered", async () => {
    const { page } = watched;
    await page.goto(`${site.url}errors/`);
    await page.getByLabel("Code or word").fill("budget");

    await expect.poll(() => page.locator(".code-list li:visible").allTextContents()).toHaveLength(1);
    expect(await page.locator(".code-list li:visible").textContent()).toContain("insufficient_quota");
  });

  test.each([
    ["#/configuration", "guides/configuration/"],
    ["#/configuration#configuration-upstreams", "guides/configuration/#upstreams"],
    ["#/0017-rate-limits-are-all-or-nothing", "decisions/0017-rate-limits-are-all-or-nothing/"],
    ["#/Embeddings/createEmbedding", "reference/redoc/#/embeddings/createembedding"],
  ])("the old address %s leads to %s", async (old, address) => {
    const { page } = watched;
    await page.goto("about:blank");
    await page.goto(site.url + old);

    await page.waitForURL(site.url + address);
  });

  test("without scripts a page has its text, its samples and the menu", async () => {
    const { page, violations, close } = await openBrowser({ javaScriptEnabled: false });
    await page.goto(`${site.url}reference/createEmbedding/`);

    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Create embeddings");
    expect(await page.locator(".samples .panel").first().textContent()).toContain("http://127.0.0.1:8080");
    await page.getByText("Python", { exact: true }).click();
    expect(await page.locator(".samples .panel").nth(2).isVisible()).toBe(true);
    expect(await page.locator("#menu a").count()).toBeGreaterThan(50);
    expect(await page.locator("button:visible").count()).toBe(0);
    expect(violations).toEqual([]);
    await close();
  });

  test("the browser called no other host, kept the policy and had no errors", () => {
    expect(watched.violations).toEqual([]);
  });
});

async function look({ address, theme, width }: { address: string; theme: "light" | "dark"; width: number }) {
  const { page } = watched;
  await page.setViewportSize({ width, height: 860 });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await page.goto(site.url + address);
}
