import { html } from "../frame/html.js";
import type { SitePage } from "../frame/page-frame.js";
import { headingAnchor } from "../markdown/render-markdown.js";
import { redocAddress } from "../menu.js";
import type { DrawText } from "./schema-fields.js";
import type { Operation, SpecDocument } from "./spec-document.js";

/** All operations, grouped by purpose. */
export function drawReferencePage(
  document: SpecDocument,
  operations: readonly Operation[],
  drawText: DrawText,
): SitePage {
  const groups = document.tags
    .map((tag) => ({
      tag,
      title: tag["x-displayName"] ?? tag.name,
      members: operations.filter(({ tags }) => tags[0] === tag.name),
    }))
    .filter(({ members }) => members.length > 0);
  return {
    address: "reference/",
    title: "All operations",
    description: "Every operation of the gateway, with samples, fields, errors and a form to try it.",
    layout: "text",
    inOrder: true,
    headings: groups.map(({ title }) => ({ level: 2, text: title, id: headingAnchor(title) })),
    body: html`${drawText(document.info.description)}
<p><a class="button" href="../${redocAddress}" target="_blank" rel="noopener">The reference on one page</a> <a class="button" href="../openapi.json">openapi.json</a> <a class="button" href="../postman_collection.json">Postman collection</a></p>
${groups.map(
  ({
    tag,
    title,
    members,
  }) => html`<h2 id="${headingAnchor(title)}">${title}</h2>${tag.description !== undefined && drawText(tag.description)}
<ul class="operations">${members.map(({ operationId, summary, method, path, isWebhook }) => html`<li><a href="${operationId}/">${summary}</a><p><b class="method ${method}">${(isWebhook ? "event" : method).toUpperCase()}</b> <code>${path}</code></p></li>`)}</ul>`,
)}`,
  };
}
