import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** A guide or a decision. */
export interface Page {
  /** The file name without `.md`. The page's address in the site is `#/<slug>`. */
  readonly slug: string;
  readonly title: string;
  /** The text below the title, unchanged. */
  readonly markdown: string;
}

/** Reads the pages of a folder: the quick start first, the rest by file name. */
export async function readPages(folder: string): Promise<Page[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".md")).sort(byReadingOrder);
  return Promise.all(files.map((file) => readPage(path.join(folder, file))));
}

function byReadingOrder(a: string, b: string): number {
  return Number(b === "quick-start.md") - Number(a === "quick-start.md") || a.localeCompare(b);
}

/** Reads one page. The first line must be its title. */
export async function readPage(file: string): Promise<Page> {
  const text = await readFile(file, "utf8");
  const [line = "", ...rest] = text.split("\n");
  if (!line.startsWith("# ")) throw new Error(`${file} must begin with a title line: "# Title".`);
  return { slug: path.basename(file, ".md"), title: line.slice(2).trim(), markdown: rest.join("\n").trim() };
}
