import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPage, readPages } from "./read-pages.js";
import { describeInBrowser, openBrowser, type WatchedPage } from "./test/open-browser.js";
import { serveSite } from "./test/serve-site.js";

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly [string];
  readonly "x-codeSamples": readonly {
    readonly lang: string;
    readonly label?: string;
    readonly source: string;
  }[];
}

const document = JSON.parse(
  await readFile(new URL(import.meta.resolve("@model-gateway/spec/openapi.json")), "utf8"),
);
const operations: Operation[] = Object.values<Record<string, Operation>>(document.paths)
  .flatMap((path) => Object.values(path))
  .filter((entry) => entry.operationId);
const pages = [
  ...(await readPages("guides")),
  await readPage("benchmarks.md"),
  ...(await readPages("decisions")),
];

let folder: string;
let site: { url: string; server: Server };
let watched: WatchedPage;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "model-gateway-site-"));
  await promisify(execFile)("tsx", ["build-site.ts", folder]);
  site = await serveSite(folder);
}, 60_000);

afterAll(async () => {
  site.server.close();
  await rm(folder, { recursive: true });
});

test("the spec has operations", () => {
  expect(operations.map(({ operationId }) => operationId)).toContain("createEmbedding");
});

test("no file of the site loads a remote resource", async () => {
  const files = await readdir(folder);
  const read = (file: string) => readFile(path.join(folder, file), "utf8");

  expect(files.sort()).toEqual([
    "benchmarks.svg",
    "icon.svg",
    "images",
    "index.html",
    "openapi.json",
    "site.js",
    "theme.css",
  ]);
  expect(await read("index.html")).not.toMatch(/<script(?![^>]* src=)|(src|href)="(\w+:|\/)/);
  expect(await read("theme.css")).not.toMatch(/@import|url\(/);
  expect(await read("site.js")).not.toMatch(/src:[^,;]*https?:\/\/|^import .*https?:/m);
});

describeInBrowser("the site in a browser", () => {
  beforeAll(async () => {
    watched = await openBrowser();
    await watched.page.goto(site.url);
  });

  afterAll(() => watched.browser.close());

  test.each(operations)(
    "$operationId is shown with its samples",
    async ({ operationId, summary, tags, ...operation }) => {
      const { page } = watched;
      const address = `/${tags[0]}/${operationId}`.toLowerCase();

      await page.goto(`${site.url}#${address}`);

      const section = page.locator(`[data-section-id="${address}"]`);
      await section.getByRole("heading", { name: summary, exact: false }).waitFor();
      const samples = section.locator(".panel-request-samples");
      for (const { lang, label = lang, source } of operation["x-codeSamples"]) {
        await samples.locator("button", { hasText: /^(curl|JavaScript|Python)$/ }).click();
        await page.getByRole("menuitem", { name: label, exact: true }).click();
        await expect
          .poll(() => samples.getByTestId("source-code").textContent())
          .toContain(source.trim().split("\n")[0]);
      }
      expect(operation["x-codeSamples"].map(({ lang, label = lang }) => label)).toEqual([
        "curl",
        "JavaScript",
        "Python",
      ]);
    },
  );

  test.each(pages)("the page $slug is in the sidebar and opens", async ({ slug, title }) => {
    const { page } = watched;

    await page.locator(".menu-content").getByRole("link", { name: title, exact: true }).click();

    await page
      .locator(`[data-section-id="/${slug}"]`)
      .getByRole("heading", { name: title, level: 2 })
      .waitFor();
    expect(page.url()).toBe(`${site.url}#/${slug}`);
  });

  test("a link between pages scrolls to its heading", async () => {
    const { page } = watched;

    await page.goto(`${site.url}#/configuration#configuration-upstreams`);

    const heading = page.getByRole("heading", { name: "Upstreams", exact: true });
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(200);
  });

  test("the chart of the benchmarks is shown", async () => {
    const { page } = watched;

    await page.goto(`${site.url}#/benchmarks`);

    const chart = page.locator('[data-section-id="/benchmarks"] img[src="benchmarks.svg"]');
    await chart.scrollIntoViewIfNeeded();
    await expect
      .poll(() => chart.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0);
  });

  test("the site called no other host and kept the policy", () => {
    expect(watched.violations).toEqual([]);
  });
});
