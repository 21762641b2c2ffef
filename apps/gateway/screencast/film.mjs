import sparticuz from "@sparticuz/chromium";
import { chromium } from "playwright-core";
import sharp from "sharp";

const width = 1120;
const height = 680;
/** The width of the animation. Pages are laid out wider, as in a browser window. */
const shownWidth = 1000;
const quality = 72;

/** A browser whose window is filmed, picture by picture. It shows a terminal, or a page. */
export class Film {
  #page;
  #close;
  /** @type {{ image: Buffer, ms: number }[]} */
  #frames = [];

  /** @param {import("playwright-core").Page} page @param {() => Promise<void>} close */
  constructor(page, close) {
    this.#page = page;
    this.#close = close;
  }

  static async open() {
    const isLinux = process.platform === "linux" && process.arch === "x64";
    const executablePath = process.env.CHROME_PATH ?? (isLinux ? await sparticuz.executablePath() : "");
    if (executablePath === "") throw new Error("Name a Chromium in CHROME_PATH.");
    const browser = await chromium.launch({ executablePath, args: isLinux ? sparticuz.args : [] });
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: "dark" });
    return new Film(page, () => browser.close());
  }

  close() {
    return this.#close();
  }

  get page() {
    return this.#page;
  }

  /** @param {string} text */
  async showTerminal(text) {
    await this.#page.setContent(terminal(text));
  }

  /** Takes a picture. @param {number} ms How long it is shown. */
  async take(ms) {
    this.#frames.push({ image: await this.#page.screenshot(), ms });
  }

  /** Writes the animation, and closes the browser. @param {string} path */
  async write(path) {
    await this.close();
    const images = await Promise.all(
      this.#frames.map(({ image }) => sharp(image).resize({ width: shownWidth }).png().toBuffer()),
    );
    return sharp(images, { join: { animated: true } })
      .webp({ quality, effort: 6, loop: 0, delay: this.#frames.map(({ ms }) => ms) })
      .toFile(path);
  }
}

/** @param {string} text */
function terminal(text) {
  const shown = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const style = `body { margin: 0; background: #10141c; color: #d7dde8 }
    pre { margin: 0; padding: 22px 26px; font: 13px/1.5 "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere }`;
  return `<!doctype html><style>${style}</style><pre>${shown}</pre>`;
}
