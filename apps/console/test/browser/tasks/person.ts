import type { Locator } from "playwright-core";
import type { ConsolePage } from "../console-page.js";

/** Does a task as a person would, by what is written on the page, and counts each click, typed field and key press. */
export class Person {
  readonly #site: ConsolePage;
  #steps = 0;

  constructor(site: ConsolePage) {
    this.#site = site;
  }

  get steps(): number {
    return this.#steps;
  }

  /** A page of the menu. */
  async open(name: string): Promise<void> {
    await this.#step(() => this.#site.choose(name));
  }

  async follow(link: string | RegExp): Promise<void> {
    await this.#click(this.#site.page.getByRole("link", { name: link, exact: typeof link === "string" }));
  }

  async push(button: string): Promise<void> {
    await this.#click(this.#site.page.getByRole("button", { name: button, exact: true }));
  }

  /** Ticks a box or chooses a radio button. */
  async tick(label: string): Promise<void> {
    await this.#step(() => this.#site.page.getByLabel(label, { exact: true }).check());
  }

  async type(label: string, text: string): Promise<void> {
    // A label may end with "(optional)". A dialog may have the name of its field.
    const field = this.#site.page.getByLabel(new RegExp(`^${label}( \\(optional\\))?$`));
    await this.#step(() => field.and(this.#site.page.locator("input, textarea")).fill(text));
  }

  async select(label: string, option: string): Promise<void> {
    await this.#step(() =>
      this.#site.page.getByLabel(label, { exact: true }).selectOption({ label: option }),
    );
  }

  async press(keys: string): Promise<void> {
    await this.#step(() => this.#site.page.keyboard.press(keys));
  }

  async #click(target: Locator): Promise<void> {
    await this.#step(() => target.first().click());
  }

  async #step(act: () => Promise<unknown>): Promise<void> {
    this.#steps += 1;
    await act();
  }
}
