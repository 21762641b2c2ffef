import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

/** Size limits of the build, in bytes after gzip. The gateway is often far from its operators. */
const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const page = readFileSync(join(dist, "index.html"), "utf8");
const assets = readdirSync(join(dist, "assets"));
const scripts = assets.filter((name) => name.endsWith(".js"));
const first = scripts.filter((name) => page.includes(name));

test("the scripts before the first paint weigh less than 70 KB", () => {
  expect(first.length).toBeGreaterThan(0);
  expect(weigh(first)).toBeLessThan(70 * 1024);
});

test("a page's separate script weighs less than 15 KB", () => {
  const pages = scripts.filter((name) => !first.includes(name));

  expect(pages.length).toBeGreaterThan(5);
  expect(pages.filter((name) => weigh([name]) > 15 * 1024)).toEqual([]);
});

test("the scripts of all pages together weigh less than 132 KB", () => {
  expect(weigh(scripts)).toBeLessThan(132 * 1024);
});

test("the styles weigh less than 8 KB", () => {
  const styles = assets.filter((name) => name.endsWith(".css"));

  expect(styles).toHaveLength(1);
  expect(weigh(styles)).toBeLessThan(8 * 1024);
});

test("every script and style has its compressed copies, unless they would not be smaller", () => {
  const texts = assets.filter(
    (name) => /\.(js|css)$/.test(name) && statSync(join(dist, "assets", name)).size > 1024,
  );

  expect(texts.filter((name) => !assets.includes(`${name}.br`) || !assets.includes(`${name}.gz`))).toEqual(
    [],
  );
});

test("the page has no inline script and names nothing outside of itself", () => {
  expect(page).not.toMatch(/<script(?![^>]* src=)/);
  expect(page).not.toMatch(/<style|style=|https?:/);
});

function weigh(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, "assets", name))).length, 0);
}
