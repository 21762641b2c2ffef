import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readSiteFile, siteAddresses, siteFiles, siteFolder } from "./site-files.js";

const files = await siteFiles();
const addresses = await siteAddresses();
/** Kilobytes as a browser that takes gzip receives them. */
const gzip = (file: string) => sizeOf(`${file}.gz`) / 1024;
const sizeOf = (file: string) => statSync(path.join(siteFolder, file)).size;

/** The scripts that a page loads before anything is opened, with their static imports. */
function scriptsOf(page: string): string[] {
  const found = [...readSiteFile(page).matchAll(/<script [^>]*src="[./]*(assets\/[^"]+)"/g)].map(
    ([, file = ""]) => file,
  );
  const imported = found.flatMap((file) =>
    [...readSiteFile(file).matchAll(/(?:from|import)"\.\/([^"]+)"/g)].map(([, name]) => `assets/${name}`),
  );
  return [...found, ...imported];
}

test("a guide loads at most 4 KB of script and 8 KB of style", () => {
  const scripts = scriptsOf("guides/configuration/index.html");
  const style = files.find((file) => /^assets\/site-.*\.css$/.test(file)) ?? "";

  expect(scripts).toHaveLength(3);
  expect(scripts.reduce((sum, file) => sum + gzip(file), 0)).toBeLessThan(4);
  expect(gzip(style)).toBeLessThan(8);
});

test("a search loads at most 120 KB on first use", () => {
  const script = files.find((file) => /^assets\/search-.*\.js$/.test(file)) ?? "";

  expect(gzip(script) + gzip("search.json")).toBeLessThan(120);
});

test("the texts of the search, which come after the first results, have at most 210 KB", () => {
  expect(gzip("search-texts.json")).toBeLessThan(210);
});

test("a page of text has at most 18 KB, an operation at most 16 KB", () => {
  const heavy = addresses
    .map((address) => ({ address, size: gzip(`${address}index.html`) }))
    .filter(({ address, size }) => size > (/^reference\//.test(address) ? 16 : 18));

  expect(heavy).toEqual([]);
});

test("the site without Redoc, images, downloads and twins has at most 2.1 MB in brotli, and the twins 0.8 MB", () => {
  const own = files.filter((file) => !/redoc|^images\/|^postman_collection/.test(file));
  const megabytes = (some: readonly string[]) =>
    some.reduce(
      (sum, file) => sum + sizeOf(existsSync(path.join(siteFolder, `${file}.br`)) ? `${file}.br` : file),
      0,
    ) /
    1024 /
    1024;

  expect(megabytes(own.filter((file) => !file.endsWith(".md")))).toBeLessThan(2.1);
  expect(megabytes(own.filter((file) => file.endsWith(".md")))).toBeLessThan(0.8);
});
