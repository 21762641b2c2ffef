import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { inject } from "vitest";

/** The folder of the built site. */
export const siteFolder = inject("siteFolder");

export function readSiteFile(name: string): string {
  return readFileSync(path.join(siteFolder, name), "utf8");
}

/** Every file of the site but the compressed copies, relative to it. */
export async function siteFiles(): Promise<string[]> {
  const entries = await readdir(siteFolder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => path.relative(siteFolder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** The addresses of all pages: "" is home. */
export async function siteAddresses(): Promise<string[]> {
  const files = await siteFiles();
  return files
    .filter((file) => /(^|\/)index\.html$/.test(file))
    .map((file) => file.slice(0, -"index.html".length));
}
