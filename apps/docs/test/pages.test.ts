import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { errorTable } from "@model-gateway/spec/errors";
import { expect, test } from "vitest";
import { consoleLink } from "../markdown/console-link.js";
import { errorCodesOf, operationsOf, References } from "../reference/spec-document.js";
import { readSiteFile, siteAddresses, siteFiles } from "./site-files.js";

const document = JSON.parse(
  readFileSync(new URL(import.meta.resolve("@model-gateway/spec/openapi.json")), "utf8"),
);
const operations = operationsOf(document).map(({ operationId }) => operationId);
const slugs = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .map((file) => file.slice(0, -".md".length));
const addresses = await siteAddresses();
const pages = new Map(addresses.map((address) => [address, readSiteFile(`${address}index.html`)]));
const own = [...pages].filter(([address]) => address !== "reference/redoc/");

test("every guide, provider, decision, operation and error code has a page", () => {
  const expected = [
    "",
    "benchmarks/",
    "changelog/",
    "comparison/",
    "decisions/",
    "errors/",
    "reference/",
    "reference/redoc/",
    ...slugs("guides")
      .filter((slug) => slug !== "errors")
      .map((slug) => `guides/${slug}/`),
    ...slugs("upstreams").map((slug) => `upstreams/${slug}/`),
    ...slugs("decisions").map((slug) => `decisions/${slug}/`),
    ...operations.map((operation) => `reference/${operation}/`),
    ...Object.keys(errorTable).map((code) => `errors/${code}/`),
  ];

  expect(operations).toContain("createEmbedding");
  expect(expected.filter((address) => !pages.has(address))).toEqual([]);
});

test("an operation and each code with which it can fail lead to each other", () => {
  const references = new References(document);
  const missing = operationsOf(document).flatMap((operation) => {
    const { operationId } = operation;
    const toCodes = new Set(hrefs(pages.get(`reference/${operationId}/`) ?? ""));
    return [...errorCodesOf(operation, references)].filter(
      (code) =>
        !toCodes.has(`../../errors/${code}/`) ||
        !hrefs(pages.get(`errors/${code}/`) ?? "").includes(`../../reference/${operationId}/`),
    );
  });

  expect(missing).toEqual([]);
});

test("the menu leads to every page but codes and decisions, which their lists lead to", () => {
  const menu = hrefs(pages.get("")?.match(/<nav id="menu"[\s\S]*?<\/nav>/)?.[0] ?? "");
  const listed = new Set([
    ...menu,
    ...hrefs(pages.get("errors/") ?? "").map((href) => `./errors/${href}`),
    ...hrefs(pages.get("decisions/") ?? "").map((href) => `./${path.posix.join("decisions", href)}`),
  ]);

  expect(menu[0]).toBe("./");
  expect(addresses.filter((address) => !listed.has(`./${address}`))).toEqual([]);
});

test("every link and every anchor leads somewhere", async () => {
  const files = new Set(await siteFiles());
  const ids = new Map([...pages].map(([address, page]) => [address, new Set(idsOf(page))]));
  const broken: string[] = [];
  let checked = 0;
  for (const [address, page] of pages) {
    for (const link of [...hrefs(page), ...sources(page)]) {
      // The console is beside the site, and not in it.
      if (/^https:/.test(link) || consoleLink.test(link)) continue;
      const { pathname, hash } = new URL(link, `http://gateway/docs/${address}`);
      checked += 1;
      const target = decodeURIComponent(pathname.slice("/docs/".length));
      const file = target === "" || target.endsWith("/") ? `${target}index.html` : target;
      // Redoc makes its anchors in the browser: its own test opens them.
      const anchors = target === "reference/redoc/" ? undefined : ids.get(target);
      const isAnchor = hash === "" || anchors === undefined || anchors.has(decodeURIComponent(hash.slice(1)));
      if (!files.has(file) || !isAnchor) broken.push(`${address}: ${link}`);
    }
  }

  expect(broken).toEqual([]);
  expect(checked).toBeGreaterThan(10_000);
});

test("every link of the page for lost readers leads to a file, from the folder where the gateway serves the site", async () => {
  const files = new Set(await siteFiles());
  const page = readSiteFile("404.html");
  const links = [...hrefs(page), ...sources(page)].filter((link) => !/console\/$|^#/.test(link));
  const found = links.map((link) => link.replace(/^\/docs\//, "").replace(/(^|\/)$/, "$1index.html"));

  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((link) => !link.startsWith("/docs/"))).toEqual([]);
  expect(found.filter((file) => !files.has(file))).toEqual([]);
});

test("every header has the mark and the same places", () => {
  const headers = [...pages].map(
    ([, page]) => /<header class="bar">[\s\S]*?<\/header>/.exec(page)?.[0] ?? "",
  );
  const places = headers.map((header) =>
    [...header.matchAll(/<a [^>]*>([A-Z]\w+)<\/a>/g)].map(([, name]) => name).join(" "),
  );

  expect(new Set(places)).toEqual(new Set(["Docs Reference Console"]));
  expect(headers.filter((header) => !/<img src="[./]*icon\.svg"/.test(header))).toEqual([]);
});

test("every page has its own title and description, one h1, and the landmarks", () => {
  const faults = own.flatMap(([address, page]) =>
    [
      /<title>[^<]+<\/title>/.test(page) ? "" : "no title",
      /<meta name="description" content="[^"]{10,}">/.test(page) ? "" : "no description",
      page.split("<h1").length === 2 ? "" : "not one h1",
      ["<header", "<main", '<nav id="menu"'].every((landmark) => page.includes(landmark)) ? "" : "landmarks",
    ]
      .filter(Boolean)
      .map((fault) => `${address}: ${fault}`),
  );
  const titles = own.map(([, page]) => /<title>([^<]+)/.exec(page)?.[1]);

  expect(faults).toEqual([]);
  expect(duplicates(titles)).toEqual([]);
});

test("no page has a style attribute, an inline script or the same id twice", () => {
  const faults = [...pages].flatMap(([address, page]) =>
    [
      / style=/.test(page.replace(/<code[\s\S]*?<\/code>/g, "")) ? "a style" : "",
      /<style|<script(?![^>]* src=)/.test(page) ? "an inline script or style" : "",
      / on\w+="/.test(page) ? "a handler" : "",
      ...duplicates(idsOf(page)).map((id) => `id ${id} twice`),
    ]
      .filter(Boolean)
      .map((fault) => `${address}: ${fault}`),
  );

  expect(faults).toEqual([]);
});

test("no file loads a remote resource", async () => {
  const files = await siteFiles();
  const remote = files
    .filter((file) => /\.(html|css|js)$/.test(file))
    .filter((file) => {
      const text = readSiteFile(file);
      if (file.endsWith(".html")) return /(?:src=|<link[^>]* href=)"(?:\w+:)?\/\//.test(text);
      if (file.endsWith(".css")) return /@import|url\(/.test(text);
      return /src:[^,;]*https?:\/\/|^import .*https?:/m.test(text);
    });

  expect(remote).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining([
      "openapi.json",
      "postman_collection.json",
      "llms.txt",
      "search.json",
      "icon.svg",
    ]),
  );
});

test("links to Redoc open a separate tab, which cannot read this tab's key", () => {
  const faults = own.flatMap(([address, page]) =>
    [...page.matchAll(/<a [^>]*href="[^"]*reference\/redoc\/[^"]*"[^>]*>/g)]
      .filter(([link]) => !/target="_blank" rel="noopener"/.test(link))
      .map(([link]) => `${address}: ${link}`),
  );

  expect(faults).toEqual([]);
});

function hrefs(page: string): string[] {
  return [...page.matchAll(/<(?:a|link) [^>]*?href="([^"]*)"/g)].map(([, href = ""]) => href);
}

function sources(page: string): string[] {
  return [...page.matchAll(/ src="([^"]*)"/g)].map(([, source = ""]) => source);
}

function idsOf(page: string): string[] {
  return [...page.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id);
}

function duplicates<T>(values: readonly T[]): T[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
