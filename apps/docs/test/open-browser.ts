import { type Browser, chromium, type Page } from "playwright-core";
import { describe } from "vitest";
import { findBrowser } from "./find-browser.js";

export interface WatchedPage {
  readonly browser: Browser;
  readonly page: Page;
  /** Whatever must not happen: a request to another host, a failed load, an error or a broken policy in the console. */
  readonly complaints: readonly string[];
}

const command = await findBrowser();

/** Tests that need a browser. Where there is none the run says so; where CI demands one, its absence is a failure. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (command !== undefined) {
    describe(name, tests);
    return;
  }
  if (process.env.CI === "true") throw new Error("No browser was found, and CI demands one.");
  console.warn(`Left out, because no browser is installed: ${name}`);
  describe.skipIf(true)(name, tests);
}

/** A headless Chromium that can reach this machine only, and writes down what it tried beyond that. */
export async function openBrowser(): Promise<WatchedPage> {
  if (command === undefined) throw new Error("No browser was found.");
  const browser = await chromium.launch({ ...command, headless: true });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const complaints: string[] = [];
  await context.route("**/*", async (route) => {
    const { hostname, href, protocol } = new URL(route.request().url());
    if (hostname === "127.0.0.1" || protocol === "data:" || protocol === "blob:") return route.continue();
    complaints.push(`request to ${href}`);
    await route.abort();
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()))
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} for ${response.url()}`);
  });
  return { browser, page, complaints };
}
