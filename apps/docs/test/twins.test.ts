import path from "node:path";
import { expect, test } from "vitest";
import { consoleLink } from "../markdown/console-link.js";
import { headingAnchor } from "../markdown/render-markdown.js";
import { twinOf } from "../markdown/twin-links.js";
import { readSiteFile, siteAddresses, siteFiles } from "./site-files.js";

const files = new Set(await siteFiles());
const addresses = (await siteAddresses()).filter((address) => address !== "reference/redoc/");
const twins = new Map(addresses.map((address) => [twinOf(address), readSiteFile(twinOf(address))]));
const withoutCode = (text: string) => text.replace(/^ *```[\s\S]*?^ *```$/gm, "");

test("every page has a twin in Markdown, and names it", () => {
  const unnamed = addresses.filter(
    (address) =>
      !readSiteFile(`${address}index.html`).includes(
        `<link rel="alternate" type="text/markdown" href="${"../".repeat(address.split("/").length - 1) || "./"}${twinOf(address)}">`,
      ),
  );

  expect(twins.size).toBeGreaterThan(200);
  expect(unnamed).toEqual([]);
});

test("a twin has one title, text, and no HTML", () => {
  const faults = [...twins].flatMap(([name, text]) =>
    [
      withoutCode(text).match(/^# /gm)?.length === 1 ? "" : "not one title",
      text.length > 150 ? "" : "almost nothing",
      /<\/?(?:p|div|span|a|li|ul|code|pre|table|details)\b/.test(withoutCode(text).replace(/`[^`\n]*`/g, ""))
        ? "HTML"
        : "",
    ]
      .filter(Boolean)
      .map((fault) => `${name}: ${fault}`),
  );

  expect(faults).toEqual([]);
});

test("every link of a twin leads to a file, and an anchor to a heading", () => {
  const anchors = new Map(
    [...twins].map(([name, text]) => [
      name,
      new Set(
        [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
          headingAnchor(plain(heading)),
        ),
      ),
    ]),
  );
  let checked = 0;
  const broken = [...twins].flatMap(([name, text]) =>
    linksIn(text)
      .filter((link) => {
        // The console is beside the site, and not in it.
        if (/^(https?|mailto):/.test(link) || consoleLink.test(link)) return false;
        checked += 1;
        const [target = "", anchor] = link.split("#");
        const file = target === "" ? name : path.posix.join(path.posix.dirname(name), target);
        if (!files.has(file.endsWith("/") ? `${file}index.html` : file)) return true;
        const known = anchors.get(file);
        return anchor !== undefined && known !== undefined && !known.has(anchor) && !isListed(anchor, file);
      })
      .map((link) => `${name}: ${link}`),
  );

  expect(broken).toEqual([]);
  expect(checked).toBeGreaterThan(2000);
});

test("the list for programs leads to the twins", () => {
  const linked = linksIn(readSiteFile("llms.txt"));

  expect(linked.filter((link) => !files.has(link))).toEqual([]);
  expect(linked).toEqual(
    expect.arrayContaining([
      "index.md",
      "guides/deploy.md",
      "errors/rate_limit_exceeded.md",
      "reference/createEmbedding.md",
    ]),
  );
});

/** An error code is an entry of the list of codes, and not a heading. */
function isListed(anchor: string, file: string): boolean {
  return file === "errors.md" && (twins.get(file) ?? "").includes(`errors/${anchor}.md`);
}

function linksIn(text: string): string[] {
  return [
    ...withoutCode(text)
      .replace(/`[^`\n]*`/g, "x")
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, link = ""]) => link);
}

function plain(heading: string): string {
  return heading.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
}
