import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { describe } from "vitest";
import { findBrowser } from "./find-browser.js";

export interface WatchedPage {
  readonly page: Page;
  /** Requests to other hosts, failed loads, and errors or policy violations in the console. */
  readonly violations: readonly string[];
  close(): Promise<void>;
}

const command = await findBrowser();

/** Groups tests that need a browser. Without one they are skipped with a warning; in CI that is a failure. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (command !== undefined) {
    describe(name, tests);
    return;
  }
  if (process.env.CI === "true") throw new Error("No browser was found. CI needs one.");
  console.warn(`Skipped, because no browser is installed: ${name}`);
  describe.skipIf(true)(name, tests);
}

/** Other hosts have no address. Intercepting the requests instead would cost the browser its cache of compiled code. */
const onlyThisMachine = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

/** The browser of all files that run in this process. It ends with the process. */
let browser: Promise<Browser> | undefined;

/** Opens a page in a headless Chromium that can reach only this machine, and records every request to another. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<WatchedPage> {
  if (command === undefined) throw new Error("No browser was found.");
  browser ??= chromium.launch({ ...command, args: [...command.args, onlyThisMachine], headless: true });
  const context = await (await browser).newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const violations: string[] = [];
  context.on("request", (request) => {
    const { hostname, href, protocol } = new URL(request.url());
    const isHere = hostname === "127.0.0.1" || ["data:", "blob:", "about:"].includes(protocol);
    if (!isHere) violations.push(`request to ${href}`);
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()))
      violations.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => violations.push(`uncaught: ${error.message}`));
  page.on("response", (response) => {
    if (response.status() >= 400) violations.push(`${response.status()} for ${response.url()}`);
  });
  return { page, violations, close: () => context.close() };
}
