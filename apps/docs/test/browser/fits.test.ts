import type { Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser, openBrowser, type WatchedPage } from "../open-browser.js";
import { serveSite } from "../serve-site.js";
import { siteFolder } from "../site-files.js";
import { openAll, templates } from "../templates.js";

const phone = { width: 390, height: 844 };
/** A 1280 by 800 screen at a zoom of 200 % has two pixels for each CSS pixel. */
const zoomed = { width: 640, height: 400 };
/** Beside the menu there is less room than on a phone. */
const desks = [1440, 1024];
/** The pages with the widest tables, and some with others. */
const withTables = [
  "",
  "comparison/",
  "upstreams/providers/",
  "upstreams/bedrock/",
  "upstreams/vertex/",
  "guides/configuration/",
  "guides/deploy/",
  "guides/monitoring/",
  "guides/troubleshooting/",
  "decisions/0033-bodies-share-one-memory-budget/",
];
/** Smaller letters cannot be read on a phone. */
const letterMinPx = 11;

let site: { url: string; server: Server };
let watched: WatchedPage;

describeInBrowser("the site on small screens", () => {
  beforeAll(async () => {
    site = await serveSite(siteFolder);
    watched = await openBrowser({ deviceScaleFactor: 2 });
    watched.page.setDefaultTimeout(120_000);
  });

  afterAll(async () => {
    await watched.close();
    site.server.close();
  });

  test.each(templates)("%s fits on a phone, and at twice the size", async (address) => {
    expect(await widthsOf(address)).toEqual([phone.width, zoomed.width]);
  });

  test("the reference on one page fits on a phone, and at twice the size", async () => {
    expect(await widthsOf("reference/redoc/")).toEqual([phone.width, zoomed.width]);
  });

  test.each(desks)("no table is clipped on a screen that is %i pixels wide", async (width) => {
    const { page } = watched;
    await page.setViewportSize({ width, height: 900 });
    const clipped: unknown[] = [];
    for (const address of withTables) {
      await page.goto(site.url + address);
      await page.evaluate(openAll);
      const widths = await page.locator("main .table:not(.figures .table)").evaluateAll(measureTables);
      clipped.push(...widths.filter(({ inner, outer }) => inner > outer).map((one) => ({ address, ...one })));
    }

    expect(clipped).toEqual([]);
  });

  test.each([
    ["benchmarks/", ".charts svg text", 20],
    ["errors/", ".diagram .narrow text", 30],
    ["guides/embeddings-through-the-gateway/", ".diagram .narrow text", 15],
    ["guides/scheduling/", ".diagram .narrow text", 20],
    ["guides/deploy/", ".diagram .narrow text", 25],
  ] as const)("the drawings of %s can be read on a phone", async (address, selector, least) => {
    await watched.page.setViewportSize(phone);
    await watched.page.goto(site.url + address);

    const texts = await watched.page.locator(selector).evaluateAll(measureTexts);

    expect(texts.length).toBeGreaterThan(least);
    expect(texts.filter(({ letterPx }) => letterPx < letterMinPx)).toEqual([]);
    expect(texts.filter(({ isInside }) => !isInside)).toEqual([]);
  });
});

/** The page's width on each screen, with all folds open. */
async function widthsOf(address: string): Promise<unknown[]> {
  const { page } = watched;
  await page.goto(site.url + address);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.evaluate(openAll);
  const widths: unknown[] = [];
  for (const screen of [phone, zoomed]) {
    await page.setViewportSize(screen);
    widths.push(await page.evaluate("document.documentElement.scrollWidth"));
  }
  return widths;
}

/** Runs in the browser. */
function measureTables(found: unknown) {
  return (found as { scrollWidth: number; clientWidth: number; textContent: string }[]).map((table) => ({
    begins: table.textContent.slice(0, 40),
    inner: table.scrollWidth,
    outer: table.clientWidth,
  }));
}

/** The part of a browser's SVG text that is used: the tests have no DOM types. */
interface DrawnText {
  readonly textContent: string;
  readonly ownerSVGElement: DrawnText;
  getBoundingClientRect(): { readonly left: number; readonly right: number };
  getScreenCTM(): { readonly a: number; readonly b: number };
}

/** Runs in the browser. The letters of a drawing grow and shrink with it. */
function measureTexts(found: unknown) {
  const style = (globalThis as unknown as { getComputedStyle(of: DrawnText): { fontSize: string } })
    .getComputedStyle;
  return (found as DrawnText[]).map((text) => {
    const { a, b } = text.getScreenCTM();
    const [own, drawing] = [text, text.ownerSVGElement].map((one) => one.getBoundingClientRect());
    return {
      words: text.textContent,
      letterPx: Number.parseFloat(style(text).fontSize) * Math.hypot(a, b),
      isInside: own!.left >= drawing!.left - 0.5 && own!.right <= drawing!.right + 0.5,
    };
  });
}
