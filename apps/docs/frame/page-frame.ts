import type { Heading, ResolveLink } from "../markdown/render-markdown.js";
import { twinOf } from "../markdown/twin-links.js";
import { isFold, type MenuFold, type MenuGroup, type MenuLink } from "../menu.js";
import { type Html, html, trustedHtml } from "./html.js";
import { icons } from "./icons.js";
import { drawBrand, drawPlaces } from "./site-header.js";

/** A page of the site, before the frame is drawn around it. */
export interface SitePage {
  /** Relative to the site, with a slash at the end: "guides/quick-start/". Home is "". */
  readonly address: string;
  readonly title: string;
  /** One sentence, for search engines and the list of pages. */
  readonly description: string;
  /** Shown above the title, such as "API reference / Embeddings". */
  readonly trail?: readonly MenuLink[];
  readonly body: Html;
  /** The Markdown of a page that was not drawn from the spec. */
  readonly source?: { readonly markdown: string; readonly resolveLink: ResolveLink };
  /** The headings that "On this page" lists. */
  readonly headings?: readonly Heading[];
  /** "home" and "operation" draw their own title. */
  readonly layout: "text" | "operation" | "home" | "wide";
  /** Whether "Previous" and "Next" follow the menu. */
  readonly inOrder?: boolean;
  /** More places of the page that the search finds. */
  readonly places?: readonly SearchPlace[];
}

/** A place that is not a heading. */
export interface SearchPlace {
  readonly anchor: string;
  readonly heading: string;
  /** A word that finds it first. */
  readonly name: string;
  readonly text: string;
}

export interface Frame {
  readonly menu: readonly MenuGroup[];
  readonly links: readonly MenuLink[];
  /** The hashed names of the scripts and the style, relative to the site. */
  readonly assets: Readonly<Record<"theme" | "site" | "css" | "redocCss", string>>;
  readonly version: string;
}

/** Draws the whole document of a page. Every link is relative, so the site works below any prefix. */
export function drawPage(page: SitePage, frame: Frame): string {
  return drawDocument(page, { frame, root: rootOf(page.address), hasTwin: true });
}

/** Where the gateway serves the site. */
const ownRoot = "/docs/";

/**
 * The document for addresses that do not exist. It is served at any depth, so its links are absolute. The gateway makes
 * them relative.
 */
export function drawLostPage(page: SitePage, frame: Frame): string {
  return drawDocument(page, { frame, root: ownRoot, hasTwin: false });
}

interface DocumentOptions {
  readonly frame: Frame;
  /** The way from the page to the site's own folder. */
  readonly root: string;
  /** Whether the page is there as Markdown. */
  readonly hasTwin: boolean;
}

function drawDocument(page: SitePage, { frame, root, hasTwin }: DocumentOptions): string {
  const title = page.address === "" ? "Model Gateway" : `${page.title} · Model Gateway`;
  const { assets } = frame;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${page.description}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${root}icon.svg">
${hasTwin && html`<link rel="alternate" type="text/markdown" href="${root}${twinOf(page.address)}">`}
<link rel="stylesheet" href="${root}${assets.css}">
<script src="${root}${assets.theme}"></script>
<script type="module" src="${root}${assets.site}"></script>
</head>
<body data-root="${root}" class="${page.layout}">
<a class="skip" href="#content">Skip to the text</a>
${drawHeader(root)}
<nav id="menu" popover aria-label="Pages"><p class="places">${drawPlaces(root, "Docs")}</p>${drawMenu(page, frame, root)}
<p class="version">Version ${frame.version} · <a href="${root}openapi.json">openapi.json</a> · <a href="${root}llms.txt">llms.txt</a>${hasTwin && html` · <a href="${root}${twinOf(page.address)}">this page as Markdown</a>`}</p></nav>
<main id="content" tabindex="-1">
${drawContent(page, frame, root)}
</main>
</body>
</html>
`.text;
}

/** The way from a page to the site's own folder. */
export function rootOf(address: string): string {
  return "../".repeat(address.split("/").length - 1) || "./";
}

function drawHeader(root: string): Html {
  return html`<header class="bar">
<button class="icon menu-button" popovertarget="menu" aria-label="Menu">${icons.menu}</button>
${drawBrand(root)}
<button class="search-button" id="open-search" aria-label="Search" hidden>${icons.search}<span>Search</span><kbd>/</kbd></button>
<nav class="top" aria-label="Places">${drawPlaces(root, "Docs")}</nav>
<button class="icon" id="theme" hidden aria-label="Change the theme">${icons.theme}</button>
</header>`;
}

function drawMenu(page: SitePage, { menu }: Frame, root: string): Html {
  const link = (entry: MenuLink) =>
    html`<li><a href="${root}${entry.address}"${entry.address === page.address && trustedHtml(' aria-current="page"')}${entry.apart === true && trustedHtml(' target="_blank" rel="noopener"')}>${entry.title}${entry.method !== undefined && html` <b class="method ${entry.method}">${entry.method.toUpperCase()}</b>`}</a></li>`;
  const fold = ({ title, links }: MenuFold) => {
    const isOpen = links.some(({ address }) => address === page.address);
    return html`<li><details${isOpen && trustedHtml(" open")}><summary>${title}</summary><ul>${links.map(link)}</ul></details></li>`;
  };
  return html`${menu.map(
    ({ title, entries }) =>
      html`<p class="group">${title}</p><ul>${entries.map((entry) => (isFold(entry) ? fold(entry) : link(entry)))}</ul>`,
  )}`;
}

function drawContent(page: SitePage, frame: Frame, root: string): Html {
  const listed = (page.headings ?? []).filter(({ level }) => level === 2 || level === 3);
  const contents =
    listed.length < 2
      ? undefined
      : html`<aside class="contents"><nav aria-labelledby="contents-title"><p id="contents-title">On this page</p><ul>${listed.map(
          ({ id, text, level }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`,
        )}</ul></nav></aside>`;
  return html`<article>
${page.trail !== undefined && html`<p class="trail">${page.trail.map(({ title, address }, index) => html`${index > 0 && " / "}<a href="${root}${address}">${title}</a>`)}</p>`}
${page.layout !== "home" && page.layout !== "operation" && html`<h1>${page.title}</h1>`}
${page.body}
${page.inOrder === true && drawNeighbours(page, frame, root)}
</article>
${contents}`;
}

function drawNeighbours(page: SitePage, { links }: Frame, root: string): Html | undefined {
  const ordered = links.filter(({ apart }) => apart !== true);
  const index = ordered.findIndex(({ address }) => address === page.address);
  if (index < 0) return undefined;
  const [before, after] = [ordered[index - 1], ordered[index + 1]];
  return html`<nav class="neighbours" aria-label="Reading order">${before !== undefined && html`<a rel="prev" href="${root}${before.address}"><span>Previous</span>${before.title}</a>`}${after !== undefined && html`<a rel="next" href="${root}${after.address}"><span>Next</span>${after.title}</a>`}</nav>`;
}
