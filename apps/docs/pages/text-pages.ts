import { type Html, html } from "../frame/html.js";
import type { SitePage } from "../frame/page-frame.js";
import type { RenderMarkdown } from "../markdown/render-markdown.js";
import { siteLinks } from "../markdown/site-links.js";
import { addressOfFile } from "../menu.js";
import type { Page } from "../read-pages.js";

/** Draws a Markdown page: a guide, a provider page, an example, the index of decisions. */
export function drawTextPage(page: Page, file: string, render: RenderMarkdown): SitePage {
  const address = addressOfFile(file);
  const resolveLink = siteLinks(file);
  const { body, headings } = render(page.markdown, resolveLink);
  return {
    source: { markdown: page.markdown, resolveLink },
    address,
    title: page.title,
    description: firstSentence(page.markdown),
    layout: layoutOf(body),
    body,
    headings,
    inOrder: true,
  };
}

/** A decision: number, title, date and status, then the text. */
export function drawDecisionPage(page: Page, render: RenderMarkdown): SitePage {
  const { date, status, rest } = decisionHeader(page);
  const file = `decisions/${page.slug}.md`;
  const statusText = render(status, siteLinks(file)).body;
  const { body, headings } = render(rest, siteLinks(file));
  return {
    source: { markdown: page.markdown, resolveLink: siteLinks(file) },
    address: addressOfFile(file),
    title: page.title,
    description: firstSentence(rest.replace(/^## .*$/gm, "")),
    trail: [{ title: "Design decisions", address: "decisions/" }],
    layout: layoutOf(body),
    body: html`<div class="dated"><time datetime="${date}">${date}</time> ${statusText}</div>${body}`,
    headings,
  };
}

/** A page with a table of many columns is as wide as the window allows. */
function layoutOf({ text }: Html): SitePage["layout"] {
  return text.includes('class="table many"') ? "wide" : "text";
}

function decisionHeader({ markdown }: Page): { date: string; status: string; rest: string } {
  const found = /^Date: (\S+)\n\nStatus: ([^\n]+)\n([\s\S]*)$/.exec(markdown);
  return { date: found?.[1] ?? "", status: found?.[2] ?? "", rest: found?.[3] ?? markdown };
}

/** A text's first sentence, for its page's description. */
export function firstSentence(markdown: string): string {
  const paragraph = markdown
    .replace(/^```[\s\S]*?^```$/gm, "")
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .find((part) => part !== "" && !/^[#|!\->]/.test(part));
  const text = (paragraph ?? "")
    .replace(/!?\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ");
  return /^.+?[.:](?= |$)/.exec(text)?.[0] ?? text;
}
