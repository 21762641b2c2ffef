import type { Page } from "playwright-core";
import { openBrowser, type WatchedPage } from "../../../docs/test/open-browser.js";

/** The console's pages, by menu label. */
export const operatorPages = [
  "Overview",
  "Models",
  "Embeddings",
  "Images",
  "Requests",
  "Jobs",
  "Usage",
  "Keys",
  "Upstreams",
  "Configuration",
] as const;

/** A browser at the console, and all its requests. */
export class ConsolePage {
  readonly #watched: WatchedPage;
  /** Every URL that the browser has requested. */
  readonly addresses: string[] = [];

  private constructor(
    watched: WatchedPage,
    /** Ends with `/console/`. */
    readonly address: string,
  ) {
    this.#watched = watched;
    this.page.on("request", (request) => this.addresses.push(request.url()));
  }

  static async open(address: string): Promise<ConsolePage> {
    const opened = new ConsolePage(await openBrowser(), address);
    await opened.page.setViewportSize({ width: 1280, height: 860 });
    // Only a hang takes this long.
    opened.page.setDefaultTimeout(120_000);
    return opened;
  }

  get page(): Page {
    return this.#watched.page;
  }

  /** Opens a page as if in a new tab: signed out. */
  async arrive(place = ""): Promise<void> {
    if (this.page.url().startsWith(this.address)) await this.page.evaluate("sessionStorage.clear()");
    // A change behind the # alone would not load the page again.
    await this.page.goto("about:blank");
    await this.page.goto(`${this.address}${place}`);
  }

  async signIn(key: string, place = ""): Promise<void> {
    await this.arrive(place);
    await this.page.getByLabel("Key").fill(key);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await this.page.locator(".frame").waitFor();
  }

  /** On a phone the menu is closed until its button is pressed. */
  async openMenu(): Promise<void> {
    const button = this.page.getByRole("button", { name: "Menu", exact: true });
    if (await button.isVisible()) await button.click();
  }

  /** Opens a page by its name in the menu, and waits until it has loaded. */
  async choose(name: string): Promise<void> {
    await this.openMenu();
    await this.page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
    await this.loaded(name);
  }

  async loaded(title: string): Promise<void> {
    await this.page.getByRole("heading", { level: 1, name: title }).waitFor();
    await this.page.locator(".bones").first().waitFor({ state: "detached" });
  }

  /** The secret of the session that this tab has. */
  token(): Promise<string> {
    return this.page.evaluate('JSON.parse(sessionStorage.getItem("model-gateway.session")).value');
  }

  /** Console errors of the browser, without responses that the test provokes. */
  complaints(provoked = /^$/): string[] {
    return this.#watched.violations.filter(
      (text) => !provoked.test(text) && !/^error: Failed to load resource/.test(text),
    );
  }

  /** Requests to another origin than the gateway's. */
  elsewhere(): string[] {
    const { origin } = new URL(this.address);
    return this.addresses.filter((address) => {
      const url = new URL(address);
      return !["blob:", "about:"].includes(url.protocol) && url.origin !== origin;
    });
  }

  close(): Promise<void> {
    return this.#watched.close();
  }
}
