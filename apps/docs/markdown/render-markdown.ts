import MarkdownIt, { type Token } from "markdown-it";
import { drawDiagram } from "../diagrams/draw-diagram.js";
import { escapeHtml, type Html, html, trustedHtml } from "../frame/html.js";
import { consoleLink } from "./console-link.js";
import type { Highlight } from "./highlight.js";

/** Resolves a link in a Markdown file to a site address, relative to the page. */
export type ResolveLink = (link: string) => string;

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

export interface Rendered {
  readonly body: Html;
  readonly headings: readonly Heading[];
}

export type RenderMarkdown = (markdown: string, resolveLink: ResolveLink) => Rendered;

/** The anchor of a heading. It is the same as GitHub's, so a link works in both places. */
export function headingAnchor(heading: string): string {
  const kept = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "");
  return kept.trim().replace(/\s/g, "-");
}

/** A code block with its language. `site.ts` adds the button that copies it. */
export function codeBlock(source: string, language: string, highlight: Highlight): Html {
  return html`<div class="code"><pre tabindex="0"><code class="language-${language || "text"}">${highlight(source, language)}</code></pre></div>`;
}

export function openMarkdown(highlight: Highlight): RenderMarkdown {
  // HTML in a text would pass unescaped, so it is shown as text.
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  const { rules } = markdown.renderer;
  rules.fence = (tokens, index) => {
    const token = tokens[index];
    const [language = ""] = token?.info.trim().split(/\s/) ?? [];
    if (language === "diagram") return drawDiagram(token?.content ?? "").text;
    return codeBlock(token?.content ?? "", language, highlight).text;
  };
  rules.code_block = (tokens, index) => codeBlock(tokens[index]?.content ?? "", "", highlight).text;
  rules.table_open = (tokens, index) =>
    `<div class="table${columnsOf(tokens, index) > columnsMax ? " many" : ""}" tabindex="0" role="group" aria-label="Table"><table>\n`;
  rules.text = (tokens, index) => {
    const { content = "", meta } = tokens[index] ?? {};
    const text = escapeHtml(content);
    return meta?.isCell === true ? text.replace(/_(?=\w)/g, "_<wbr>") : text;
  };
  rules.table_close = () => "</table></div>\n";
  return (text, resolveLink) => {
    const tokens = markdown.parse(text, {});
    for (const token of tokens) resolveLinks(token, resolveLink);
    labelColumns(tokens);
    markCells(tokens);
    const headings = nameHeadings(tokens);
    return { body: trustedHtml(markdown.renderer.render(tokens, markdown.options, {})), headings };
  };
}

/** A table with more columns needs the whole page. */
const columnsMax = 5;

/** The number of columns of the table that begins at an index. */
function columnsOf(tokens: readonly Token[], index: number): number {
  const end = tokens.findIndex(({ type }, at) => at > index && type === "thead_close");
  return tokens.slice(index, end).filter(({ type }) => type === "th_open").length;
}

function resolveLinks(token: Token, resolveLink: ResolveLink): void {
  for (const child of token.children ?? []) {
    const name = child.type === "link_open" ? "href" : child.type === "image" ? "src" : undefined;
    if (name === undefined) continue;
    const link = child.attrGet(name);
    const resolved = link === null ? undefined : resolveLink(String(link));
    if (resolved !== undefined) child.attrSet(name, resolved);
    if (name === "href" && /^https?:/.test(String(link))) child.attrSet("rel", "noreferrer");
    // A separate tab: the scripts of this one cannot read its session.
    if (resolved !== undefined && consoleLink.test(resolved)) {
      child.attrSet("target", "_blank");
      child.attrSet("rel", "noopener noreferrer");
    }
    if (name === "src") child.attrSet("loading", "lazy");
  }
}

/** On a phone a table row becomes a list, so each cell carries its column name. */
function labelColumns(tokens: readonly Token[]): void {
  let columns: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === "thead_open") columns = [];
    if (token.type === "tr_open") column = 0;
    if (token.type === "th_open") columns.push(plainText(tokens[index + 1]));
    if (token.type === "td_open") token.attrSet("data-column", columns[column++] ?? "");
    // markdown-it writes the alignment as a style, which the policy forbids.
    const alignment = /text-align:(\w+)/.exec(String(token.attrGet("style") ?? ""))?.[1];
    if (alignment === undefined) continue;
    token.attrs = (token.attrs ?? []).filter(([name]) => name !== "style");
    token.attrSet("class", alignment);
  }
}

/** In a narrow column a name such as RETRIEVAL_DOCUMENT breaks behind an underscore. */
function markCells(tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries()) {
    if (tokens[index - 1]?.type !== "td_open") continue;
    for (const child of token.children ?? []) child.meta = { isCell: true };
  }
}

function nameHeadings(tokens: readonly Token[]): Heading[] {
  const headings: Heading[] = [];
  const taken = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue;
    const text = plainText(tokens[index + 1]);
    const anchor = headingAnchor(text);
    const count = taken.get(anchor) ?? 0;
    taken.set(anchor, count + 1);
    const id = count === 0 ? anchor : `${anchor}-${count}`;
    token.attrSet("id", id);
    headings.push({ level: Number(token.tag.slice(1)), text, id });
  }
  return headings;
}

function plainText(token: Token | undefined): string {
  return (token?.children ?? [])
    .filter(({ type }) => type === "text" || type === "code_inline")
    .map(({ content }) => content)
    .join("");
}
