import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium, type Page } from "playwright-core";

export interface WatchedPage {
  readonly browser: Browser;
  readonly page: Page;
  /** Whatever must not happen: a request to another host, a failed load, an error or a broken policy in the console. */
  readonly complaints: readonly string[];
}

/** A headless Chromium that can reach this machine only, and writes down what it tried beyond that. */
export async function openBrowser(): Promise<WatchedPage> {
  const executablePath = await sparticuz.executablePath();
  const browser = await chromium.launch({ executablePath, args: sparticuz.args, headless: true });
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
