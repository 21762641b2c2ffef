import { type Html, html } from "../frame/html.js";
import type { SitePage } from "../frame/page-frame.js";
import type { Highlight } from "../markdown/highlight.js";
import { codeBlock, type Heading } from "../markdown/render-markdown.js";
import { redocAddress } from "../menu.js";
import { drawSamples } from "./operation-samples.js";
import { type DrawText, drawField, drawFields, type FieldDrawing, merged } from "./schema-fields.js";
import {
  type Example,
  errorCodesOf,
  type MediaType,
  type Operation,
  type Parameter,
  type References,
  type SpecResponse,
} from "./spec-document.js";
import { drawTryForm } from "./try-form.js";

export interface OperationDrawing {
  readonly references: References;
  readonly highlight: Highlight;
  readonly drawText: DrawText;
  /** Every gateway code with its status. */
  readonly errorCodes: Readonly<Record<string, { readonly status: number }>>;
}

/** Draws the page of one operation or one webhook event. */
export function drawOperationPage(operation: Operation, drawing: OperationDrawing): SitePage {
  const { references, drawText } = drawing;
  const tag = references.document.tags.find(({ name }) => name === operation.tags[0]);
  const tagTitle = tag?.["x-displayName"] ?? tag?.name ?? "";
  const parts = sectionsOf(operation, drawing);
  const [lead = ""] = (operation.description ?? operation.summary).split("\n\n");
  return {
    address: `reference/${operation.operationId}/`,
    title: operation.summary,
    description: plain(lead),
    layout: "operation",
    body: html`<div class="head">
<p class="trail"><a href="../">API reference</a> / ${tagTitle}</p>
<h1>${operation.summary}</h1>
<p class="call"><b class="method ${operation.method}">${operation.method.toUpperCase()}</b> <code>${callPath(operation)}</code></p>
${operation.description !== undefined && drawText(operation.description)}
${drawAliases(operation)}
${drawSecurity(operation, references)}
<p class="also">Operation <code>${operation.operationId}</code> · <a href="../../${redocAddress}#${redocPlace(operation)}" target="_blank" rel="noopener">the same in the full reference</a></p>
${!operation.isWebhook && drawTryForm(operation, references)}
</div>
<aside class="samples" aria-label="Samples">${drawSamples(operation, drawing)}</aside>
<div class="rest">${parts.map(
      ({ heading, body }) => html`<section><h2 id="${heading.id}">${heading.text}</h2>
${body}</section>`,
    )}</div>`,
    headings: parts.map(({ heading }) => heading),
  };
}

/** The address of an operation in Redoc. */
export function redocPlace({ tags, operationId }: Pick<Operation, "tags" | "operationId">): string {
  return `/${tags[0]}/${operationId}`.toLowerCase();
}

function callPath({ path, isWebhook }: Operation): string {
  return isWebhook ? "to the URL of your webhook" : path;
}

/** The paths of other APIs at which the operation is served as well. */
function drawAliases({ "x-aliases": aliases = [] }: Operation): Html | false {
  return (
    aliases.length > 0 &&
    html`<p class="also">For clients of other APIs at ${aliases.map((path, index) => html`${index > 0 && ", "}<code>${path}</code>`)} as well.</p>`
  );
}

interface Section {
  readonly heading: Heading;
  readonly body: Html;
}

function sectionsOf(operation: Operation, drawing: OperationDrawing): Section[] {
  const { references } = drawing;
  const parameters = (operation.parameters ?? []).map((parameter) => references.follow(parameter));
  const sections: (Section | undefined)[] = [
    operation.requestBody &&
      section("Request body", drawBody(references.follow(operation.requestBody).content, drawing)),
    parametersOf("Path", "path", parameters, drawing),
    parametersOf("Query", "query", parameters, drawing),
    parametersOf("Request headers", "header", parameters, drawing),
    ...Object.entries(operation.responses)
      .filter(([status]) => !isError(status))
      .map(([status, response]) => {
        const title = status === "default" ? "Response" : `Response ${status}`;
        return section(title, drawResponse(references.follow(response), drawing));
      }),
    errorsOf(operation, drawing),
  ];
  return sections.filter((part) => part !== undefined);
}

function section(text: string, body: Html): Section {
  return { heading: { level: 2, text, id: text.toLowerCase().replace(/\s+/g, "-") }, body };
}

function isError(status: string): boolean {
  return /^[45]/.test(status);
}

function parametersOf(
  title: string,
  place: Parameter["in"],
  all: readonly Parameter[],
  drawing: FieldDrawing,
): Section | undefined {
  const parameters = all.filter((parameter) => parameter.in === place);
  if (parameters.length === 0) return undefined;
  return section(
    title,
    html`<ul class="fields">${parameters.map(({ name, schema, required = false, description }) =>
      drawField({ name, schema, required, ...(description !== undefined && { description }) }, drawing),
    )}</ul>`,
  );
}

/** The body in each content type: JSON as fields, a form as parts with their content types, a stream as its events. */
function drawBody(content: Readonly<Record<string, MediaType>>, drawing: OperationDrawing): Html {
  return html`${Object.entries(content).map(([type, media]) => drawMedia(type, media, drawing))}`;
}

function drawMedia(
  type: string,
  { schema, encoding, examples = {} }: MediaType,
  drawing: OperationDrawing,
): Html {
  const top = merged(schema ?? {}, drawing.references);
  const parts = Object.entries(encoding ?? {});
  const events = type === "text/event-stream";
  const fields = top.oneOf === undefined && top.anyOf === undefined ? drawFields(top, drawing) : undefined;
  // Examples in JSON are beside the samples, which send them.
  const forms = type === "multipart/form-data" ? Object.values(examples) : [];
  return html`<p class="media">${events ? "A stream of events, " : ""}<code>${type}</code></p>
${top.description !== undefined && drawing.drawText(top.description)}
${parts.length > 0 && html`<p class="limits">Content types of the parts: ${parts.map(([name, { contentType = "any" }], index) => html`${index > 0 && "; "}<code>${name}</code> ${contentType}`)}.</p>`}
${forms.map((form) => drawForm(drawing.references.follow(form), drawing))}
${fields ?? (schema && html`<ul class="fields">${drawField({ name: events ? "data" : "body", schema: { ...top, description: "" }, required: true, description: "" }, drawing)}</ul>`)}`;
}

/** One line for each part. */
function drawForm({ summary, description, value }: Example, { drawText, highlight }: OperationDrawing): Html {
  const lines = Object.entries(value as object).map(([name, part]) => `${name}=${part}`);
  return html`<p class="limits">Example: ${summary}.</p>
${description !== undefined && drawText(description)}
${codeBlock(lines.join("\n"), "text", highlight)}`;
}

function drawResponse(response: SpecResponse, drawing: OperationDrawing): Html {
  const headers = Object.entries(response.headers ?? {}).map(
    ([name, header]) => [name, drawing.references.follow(header)] as const,
  );
  return html`${drawing.drawText(response.description)}${response.content && drawBody(response.content, drawing)}${headers.length > 0 && html`<details class="nested"><summary>Headers of the response</summary><ul class="fields">${headers.map(([name, { schema = {}, description = "" }]) => drawField({ name, schema, required: false, description }, drawing))}</ul></details>`}`;
}

function errorsOf(
  operation: Operation,
  { references, drawText, errorCodes }: OperationDrawing,
): Section | undefined {
  const errors = Object.entries(operation.responses).filter(([status]) => isError(status));
  if (errors.length === 0) return undefined;
  const codes = errorCodesOf(operation, references);
  // In the order of the error table.
  const codesWith = (status: string) =>
    Object.entries(errorCodes).flatMap(([code, row]) =>
      String(row.status) === status && codes.has(code) ? [code] : [],
    );
  return section(
    "Errors",
    html`<ul class="statuses">${errors.map(([status, reference]) => {
      const response = references.follow(reference);
      const links = codesWith(status).map(
        (code) => html`<a href="../../errors/${code}/"><code>${code}</code></a> `,
      );
      return html`<li><b class="status">${status}</b><div>${drawText(response.description)}${links.length > 0 && html`<p class="codes">${links}</p>`}</div></li>`;
    })}</ul>`,
  );
}

const bearer = "Authorization: Bearer …";
const keyNames: Readonly<Record<string, { readonly words: string; readonly header: string }>> = {
  bearer: { words: "a caller's key", header: bearer },
  apiKey: { words: "a caller's key", header: "api-key: …" },
  adminKey: { words: "the admin key", header: bearer },
  session: { words: "the secret of a session", header: bearer },
};

function drawSecurity(operation: Operation, { document }: References): Html {
  const requirements = operation.security ?? document.security;
  const keys = requirements.flatMap((requirement) => Object.keys(requirement).map((name) => keyNames[name]));
  if (operation.isWebhook)
    return html`<p class="needs">The gateway signs it; see <a href="../../guides/webhook-events/">Webhook events</a>.</p>`;
  if (keys.length === 0) return html`<p class="needs">Needs no key.</p>`;
  const optional = requirements.some((requirement) => Object.keys(requirement).length === 0);
  const either = <T extends string>(values: readonly (T | undefined)[]) =>
    [...new Set(values)].filter((value) => value !== undefined);
  const words = either(keys.map((key) => key?.words)).join(" or ");
  const headers = either(keys.map((key) => key?.header)).map(
    (header, index) => html`${index > 0 && " or "}<code>${header}</code>`,
  );
  return html`<p class="needs">${optional ? "Needs no key; says more with " : "Needs "}${words}, as ${headers}.</p>`;
}

function plain(markdown: string): string {
  return markdown
    .replace(/[`*]/g, "")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}
