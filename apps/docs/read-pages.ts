import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** A guide, a page on a provider, or a decision. */
export interface Page {
  /** The file name without `.md`. `menu.ts` makes the page's address from it. */
  readonly slug: string;
  readonly title: string;
  /** The text below the title, unchanged. */
  readonly markdown: string;
}

/** Reads the pages of a folder by file name, without its index. `menu.ts` has the reading order. */
export async function readPages(folder: string): Promise<Page[]> {
  if (!existsSync(folder)) return [];
  const files = (await readdir(folder)).filter((file) => file.endsWith(".md") && file !== "README.md").sort();
  return Promise.all(files.map((file) => readPage(path.join(folder, file))));
}

/** Reads one page. The first line must be its title. */
export async function readPage(file: string): Promise<Page> {
  const text = await readFile(file, "utf8");
  const [line = "", ...rest] = text.split("\n");
  if (!line.startsWith("# ")) throw new Error(`${file} must begin with a title line: "# Title".`);
  return { slug: path.basename(file, ".md"), title: line.slice(2).trim(), markdown: rest.join("\n").trim() };
}
