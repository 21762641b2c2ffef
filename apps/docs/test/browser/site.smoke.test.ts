import type { Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { examine } from "../examine.js";
import { describeInBrowser, openBrowser, type WatchedPage } from "../open-browser.js";
import { serveSite } from "../serve-site.js";
import { siteFolder } from "../site-files.js";
import { openAll } from "../templates.js";

let site: { url: string; server: Server };
let watched: WatchedPage;

describeInBrowser("the site at a glance", () => {
  beforeAll(async () => {
    site = await serveSite(siteFolder);
    watched = await openBrowser();
    watched.page.setDefaultTimeout(120_000);
  });
  afterAll(async () => {
    await watched.close();
    site.server.close();
  });

  // All templates, themes and widths are in the rest.
  test.each(["", "reference/streamEvents/"])("axe finds nothing on '%s'", async (address) => {
    await watched.page.goto(site.url + address);
    await watched.page.evaluate(openAll);

    expect(await examine(watched.page)).toEqual([]);
  });

  test("the search finds a page", async () => {
    const { page } = watched;
    await page.goto(site.url);
    await page.locator("#open-search:not([hidden])").click();
    await page.getByRole("searchbox", { name: "Search" }).fill("model_not_found");
    await page.locator(".results a").first().click();

    await page.getByRole("heading", { level: 1, name: "model_not_found" }).waitFor();
  });

  test("Redocly's reference shows an operation", async () => {
    await watched.page.goto(`${site.url}reference/redoc/#/embeddings/createembedding`);
    await watched.page
      .locator('[data-section-id="/embeddings/createembedding"]')
      .getByRole("heading")
      .first()
      .waitFor();

    expect(watched.violations).toEqual([]);
  });
});
