import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { headingAnchor } from "./markdown/render-markdown.js";
import { readPage, readPages } from "./read-pages.js";

const folders = ["guides", "examples", "upstreams", "decisions"] as const;
const linkable = [...folders, "guides/images"];
const decisionHeader = /^Date: \d{4}-\d{2}-\d{2}\n\nStatus: (accepted|superseded by )/;

test("each decision has its own number, and its three parts", async () => {
  const decisions = await readPages("decisions");
  const numbers = decisions.map(({ slug }) => slug.slice(0, 4));

  expect(new Set(numbers).size).toBe(decisions.length);
  for (const { slug, title, markdown } of decisions) {
    const number = slug.slice(0, 4);
    expect(slug).toMatch(new RegExp(`^${number}-[a-z0-9-]+$`));
    expect(title).toMatch(new RegExp(`^${number}\\. `));
    expect(headings(markdown)).toEqual(["Context", "Choice", "Price paid"]);
  }
});

test("a decision has a date and a status", async () => {
  const decisions = await readPages("decisions");

  const undated = decisions.filter(({ markdown }) => !decisionHeader.test(markdown)).map(({ slug }) => slug);

  expect(undated).toEqual([]);
});

test("a decision is shorter than a page", async () => {
  const decisions = await readPages("decisions");

  const long = decisions
    .filter(({ markdown }) => markdown.split(/\s+/).length >= 450)
    .map(({ slug }) => slug);

  expect(long).toEqual([]);
});

test("the index lists every decision once, by its title", async () => {
  const decisions = await readPages("decisions");
  const { markdown } = await readPage("decisions/README.md");

  const listed = [...markdown.matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(
    ([, title, file]) => `${file} ${title}`,
  );

  expect(listed.sort()).toEqual(decisions.map(({ slug, title }) => `${slug}.md ${title}`));
});

test.each(folders)("every link from a page in %s resolves", async (folder) => {
  const pages = await readPages(folder);

  const broken = pages.flatMap(({ slug, markdown }) =>
    links(markdown).filter((link) => !resolves(link, path.join(folder, `${slug}.md`))),
  );

  expect(broken).toEqual([]);
});

test("every link from the benchmarks resolves", async () => {
  const { markdown } = await readPage("benchmarks.md");

  const broken = links(markdown).filter((link) => !existsSync(link));

  expect(broken).toEqual([]);
});

test("every page has its own address", async () => {
  const pages = [
    ...(await Promise.all(folders.map((folder) => readPages(folder)))).flat(),
    await readPage("benchmarks.md"),
  ];

  expect(new Set(pages.map(({ slug }) => slug)).size).toBe(pages.length);
});

function resolves(link: string, from: string): boolean {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? from : path.join(path.dirname(from), file);
  if (!linkable.includes(path.dirname(target)) || !existsSync(target)) return false;
  return anchor === undefined || headings(readFileSync(target, "utf8")).map(headingAnchor).includes(anchor);
}

function links(markdown: string): string[] {
  const targets = [...prose(markdown).matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => !/^https?:/.test(target));
}

function headings(markdown: string): string[] {
  return [...prose(markdown).matchAll(/^##+ (.+)$/gm)].map(([, heading = ""]) => heading);
}

function prose(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```$/gm, "");
}
