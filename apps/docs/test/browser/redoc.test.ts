import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { redocPlace } from "../../reference/operation-page.js";
import { operationsOf } from "../../reference/spec-document.js";
import { examine } from "../examine.js";
import { describeInBrowser, openBrowser, type WatchedPage } from "../open-browser.js";
import { serveSite } from "../serve-site.js";
import { siteFolder } from "../site-files.js";

const operations = operationsOf(
  JSON.parse(readFileSync(new URL(import.meta.resolve("@model-gateway/spec/openapi.json")), "utf8")),
);

const views = (["light", "dark"] as const).flatMap((theme) => [1440, 390].map((width) => ({ theme, width })));
/** Rules that Redoc's own markup breaks: its menu is not a landmark, and it skips heading levels. */
const rulesOfRedoc = ["region", "heading-order", "page-has-heading-one", "label-content-name-mismatch"];

async function examineRedoc(page: Page): Promise<string[]> {
  const findings = await examine(page);
  return findings.filter((finding) => !rulesOfRedoc.includes(finding.split(":")[0] ?? ""));
}

let site: { url: string; server: Server };
let watched: WatchedPage;

describeInBrowser("the reference that Redocly builds", () => {
  beforeAll(async () => {
    site = await serveSite(siteFolder);
    watched = await openBrowser();
    watched.page.setDefaultTimeout(120_000);
    await watched.page.goto(`${site.url}reference/redoc/`);
  });

  afterAll(async () => {
    await watched.close();
    site.server.close();
  });

  test.each(operations)("$operationId is shown, and leads to its page", async (operation) => {
    const { page } = watched;
    const place = redocPlace(operation);

    await page.goto(`${site.url}reference/redoc/#${place}`);

    const section = page.locator(`[data-section-id="${place}"]`);
    await section.getByRole("heading", { name: operation.summary, exact: false }).first().waitFor();
    const link = section.getByRole("link", { name: "Its own page" }).first();
    expect(await link.evaluate((found) => (found as unknown as { href: string }).href)).toBe(
      `${site.url}reference/${operation.operationId}/`,
    );
  });

  test("an operation has samples in three languages", async () => {
    const { page } = watched;
    const place = "/embeddings/createembedding";
    await page.goto(`${site.url}reference/redoc/#${place}`);
    const samples = page.locator(`[data-section-id="${place}"] .panel-request-samples`);

    await samples.locator("button", { hasText: /^(curl|JavaScript|Python)$/ }).click();
    await page.getByRole("menuitem", { name: "Python", exact: true }).click();

    await expect.poll(() => samples.getByTestId("source-code").textContent()).toContain("import os");
  });

  test("a link to the page of an operation opens it", async () => {
    const { page } = watched;
    const place = "/embeddings/createembedding";
    await page.goto(`${site.url}reference/redoc/#${place}`);

    await page
      .locator(`[data-section-id="${place}"]`)
      .getByRole("link", { name: "Its own page" })
      .first()
      .click();

    await page.getByRole("heading", { level: 1, name: "Create embeddings" }).waitFor();
  });

  test.each(views)("it can be read, in $theme and $width pixels wide", async ({ theme, width }) => {
    const { page } = watched;
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    // A change behind the # alone would not take up the theme.
    await page.goto("about:blank");
    for (const operationId of ["createEmbedding", "createEmbeddingLegacy", "revokeKey"]) {
      const operation = operations.find((one) => one.operationId === operationId)!;
      const place = redocPlace(operation);
      await page.goto(`${site.url}reference/redoc/#${place}`);
      await page.locator(`[data-section-id="${place}"]`).getByRole("heading").first().waitFor();
      // Again while Redoc still moves: a text that was elsewhere a moment ago is compared with a wrong background.
      await expect.poll(() => examineRedoc(page), { timeout: 120_000 }).toEqual([]);
    }

    expect(await examine(page, ".bar")).toEqual([]);
  });

  test("Redoc called no other host, kept its policy and had no errors", () => {
    expect(operations.length).toBeGreaterThan(30);
    expect(watched.violations).toEqual([]);
  });
});
