import { STATUS_CODES } from "node:http";
import { type Html, html, trustedHtml } from "../frame/html.js";
import type { SitePage } from "../frame/page-frame.js";
import type { Highlight } from "../markdown/highlight.js";
import { codeBlock, type Heading } from "../markdown/render-markdown.js";
import type { DrawText } from "../reference/schema-fields.js";
import { errorCodesOf, type Operation, type References } from "../reference/spec-document.js";

/** A row in the spec's error table. */
export interface ErrorEntry {
  readonly code: string;
  readonly status: number;
  readonly type: string;
  readonly callerRetry: "never" | "later" | "careful";
  readonly meaning: string;
  readonly remedy: string;
  readonly message?: string;
}

export interface ErrorDrawing {
  readonly entries: readonly ErrorEntry[];
  readonly operations: readonly Operation[];
  readonly references: References;
  readonly highlight: Highlight;
  readonly drawText: DrawText;
}

const retryAdvice: Readonly<Record<ErrorEntry["callerRetry"], string>> = {
  never: "No. The same request fails again.",
  later: "Yes, after `retry-after` where it is sent, else with growing pauses.",
  careful:
    "Yes for embeddings. For an image obey `x-should-retry: false`: the image may have been created, and a retry might pay twice.",
};

/** One page for each code. */
export function drawErrorPages(drawing: ErrorDrawing): SitePage[] {
  return drawing.entries.map((entry) => drawErrorPage(entry, drawing));
}

function drawErrorPage(entry: ErrorEntry, drawing: ErrorDrawing): SitePage {
  const { drawText, entries } = drawing;
  const { code, status, type, meaning, remedy, callerRetry, message } = entry;
  const related = entries.filter((other) => other.status === status && other.code !== code);
  const returning = operationsWith(entry, drawing);
  return {
    address: `errors/${code}/`,
    title: code,
    description: meaning.replaceAll("`", ""),
    trail: [{ title: "Errors", address: "errors/" }],
    layout: "text",
    body: html`<div class="lead">${drawText(meaning)}</div>
<dl class="facts"><dt>What to do</dt><dd>${drawText(remedy)}</dd><dt>Retry</dt><dd>${drawText(retryAdvice[callerRetry])}</dd><dt>Status</dt><dd>${status}</dd><dt>Type</dt><dd><code>${type}</code></dd></dl>
<h2 id="response">Response</h2>
<p>${message === undefined ? "The message is written for each case; this is its shape." : "Names in braces stand for what the case is about. Some cases have another message."}</p>
${codeBlock(JSON.stringify({ error: { message: message ?? "…", type, param: null, code } }, null, 2), "json", drawing.highlight)}
${returning.length > 0 && html`<h2 id="operations">Operations with this code</h2><details class="nested"><summary>${returning.length === 1 ? "1 operation" : `${returning.length} operations`}</summary><ul class="links">${returning.map(({ operationId, summary }) => html`<li><a href="../../reference/${operationId}/">${summary}</a> <code>${operationId}</code></li>`)}</ul></details>`}
${related.length > 0 && html`<h2 id="related">Codes of the same status</h2><ul class="links">${related.map((other) => html`<li><a href="../${other.code}/"><code>${other.code}</code></a></li>`)}</ul>`}`,
  };
}

function operationsWith(
  { code }: ErrorEntry,
  { operations, references }: ErrorDrawing,
): readonly Operation[] {
  return operations.filter((operation) => errorCodesOf(operation, references).has(code));
}

const groups: readonly { readonly title: string; readonly holds: (entry: ErrorEntry) => boolean }[] = [
  { title: "Your key", holds: ({ status }) => status === 401 || status === 403 },
  { title: "Limits", holds: ({ status }) => status === 429 },
  { title: "The gateway and its upstreams", holds: ({ status }) => status >= 500 },
  { title: "Your request", holds: () => true },
];
const readingOrder = ["Your request", "Your key", "Limits", "The gateway and its upstreams"];

/** The errors page, with the list of all codes in place of the section that names it. */
export function withErrorList(page: SitePage, drawing: ErrorDrawing): SitePage {
  const list = drawErrorList(drawing);
  const [before = "", section = ""] = page.body.text.split(/(?=<h2 id="codes">)/);
  const rest = section.replace(/^[\s\S]*?<\/h2>[\s\S]*?(?=<h2|$)/, "");
  const headings = (page.headings ?? []).flatMap((heading) =>
    heading.id === "codes" ? list.headings : [heading],
  );
  const { source: _, ...drawn } = page;
  return {
    ...drawn,
    body: html`${trustedHtml(before)}${list.body}${trustedHtml(rest)}`,
    headings,
    places: statusesOf(drawing).map(({ status, reason, members }) => ({
      anchor: `status-${status}`,
      heading: `${status} ${reason}`,
      name: String(status),
      text: members.map(({ code, meaning }) => `${code}: ${meaning.replaceAll("`", "")}`).join(" "),
    })),
  };
}

/** The statuses of all codes, in order. */
function statusesOf({ entries }: ErrorDrawing) {
  const statuses = [...new Set(entries.map(({ status }) => status))].sort((a, b) => a - b);
  return statuses.map((status) => ({
    status,
    reason: STATUS_CODES[status] ?? "",
    members: entries.filter((entry) => entry.status === status),
  }));
}

function drawErrorList(drawing: ErrorDrawing): { body: Html; headings: Heading[] } {
  const { entries, drawText } = drawing;
  const grouped = readingOrder.map((title) => ({
    title,
    id: title.toLowerCase().replace(/\s+/g, "-"),
    members: entries.filter((entry) => groups.find(({ holds }) => holds(entry))?.title === title),
  }));
  const statuses = { level: 2, text: "Statuses", id: "statuses" };
  const find = { level: 2, text: "Codes", id: "codes" };
  return {
    headings: [statuses, find, ...grouped.map(({ title, id }) => ({ level: 3, text: title, id }))],
    body: html`<h2 id="${statuses.id}">${statuses.text}</h2>
<ul class="statuses">${statusesOf(drawing).map(
      ({ status, reason, members }) =>
        html`<li id="status-${status}"><b class="status">${status}</b> <div>${reason}: <span class="codes">${members.map(({ code }, index) => html`${index > 0 && ", "}<a href="${code}/"><code>${code}</code></a>`)}</span></div></li>`,
    )}</ul>
<h2 id="${find.id}">${find.text}</h2>
<p>${entries.length} codes. Each has a page with the remedy, and whether a retry helps.</p>
<p class="filter" hidden><label>Code or word <input id="code-filter" type="search" autocomplete="off" spellcheck="false"></label> <span role="status"></span></p>
${grouped.map(
  ({ title, id, members }) =>
    html`<section class="code-group"><h3 id="${id}">${title}</h3><ul class="code-list">${members.map(
      ({ code, status, meaning }) =>
        html`<li id="${code}"><a href="${code}/"><code>${code}</code></a> <b class="status">${status}</b> <div>${drawText(meaning)}</div></li>`,
    )}</ul></section>`,
)}`,
  };
}
