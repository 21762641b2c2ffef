import { type Html, html, trustedHtml } from "../frame/html.js";
import { merged, typeInWords } from "./schema-fields.js";
import type { MediaType, Operation, Parameter, References, Schema } from "./spec-document.js";

/** Which of the two keys that a tab can hold an operation takes. The admin key never goes to another operation. */
type KeySlot = "caller" | "admin" | "none";

/**
 * A plain form, drawn from the document, that sends the operation to the gateway which serves the page. Its script is
 * loaded when the form is opened.
 */
export function drawTryForm(operation: Operation, references: References): Html {
  const { method, path, operationId } = operation;
  const slot = keySlot(operation, references);
  const writes = slot === "admin" && method !== "get";
  const parameters = (operation.parameters ?? []).map((parameter) => references.follow(parameter));
  const optionalHeaders = parameters.filter(
    (parameter) => parameter.in === "header" && parameter.required !== true,
  );
  return html`<details class="try" id="try" data-operation="${operationId}"><summary><b>Try it</b> on this gateway</summary>
<noscript><p>This form needs JavaScript. The samples do not.</p></noscript>
<form data-method="${method.toUpperCase()}" data-path="${path}" data-key="${slot}" autocomplete="off">
${slot !== "none" && html`<label>${slot === "admin" ? "Admin key" : "Key"} <span class="type">kept in this tab only</span><input type="password" data-part="key" autocomplete="off" spellcheck="false"></label>`}
${drawParameters(
  parameters.filter((parameter) => parameter.in !== "header" || parameter.required === true),
  references,
)}
${operation.requestBody && drawBody(references.follow(operation.requestBody).content, references)}
${optionalHeaders.length > 0 && html`<details class="nested"><summary>Request headers</summary>${drawParameters(optionalHeaders, references)}</details>`}
<p class="actions"><button class="main" type="submit">${writes ? "Send: this changes the gateway" : "Send"}</button> <button type="button" data-action="stop" hidden>Stop</button>${slot !== "none" && html` <button type="button" data-action="forget">Forget the key</button>`}</p>
</form>
<div class="result" role="status" aria-live="polite"></div></details>`;
}

function keySlot(operation: Operation, { document }: References): KeySlot {
  const names = (operation.security ?? document.security).flatMap((requirement) => Object.keys(requirement));
  if (names.length === 0) return "none";
  return names.includes("adminKey") || names.includes("session") ? "admin" : "caller";
}

function drawParameters(parameters: readonly Parameter[], references: References): Html {
  const places = ["path", "query", "header"];
  const sorted = [...parameters].sort((a, b) => places.indexOf(a.in) - places.indexOf(b.in));
  return html`${sorted.map((parameter) => drawParameter(parameter, references))}`;
}

function drawParameter(
  { name, in: place, required = false, schema, example }: Parameter,
  references: References,
): Html {
  const resolved = merged(schema, references);
  const label = html`<code>${name}</code> <span class="type">${place}${required && ", required"}</span>`;
  const part = html`data-part="${place}" name="${name}"`;
  const first = example ?? resolved.examples?.[0];
  return html`<label>${label}${drawInput(resolved, { part, required, value: required ? first : undefined, references })}</label>`;
}

interface InputDrawing {
  readonly part: Html;
  readonly required: boolean;
  readonly value: unknown;
  readonly references: References;
}

function drawInput(schema: Schema, { part, required, value, references }: InputDrawing): Html {
  const needed = required && trustedHtml(" required");
  const options = schema.enum ?? (schema.type === "boolean" ? ["true", "false"] : undefined);
  if (options !== undefined)
    return html`<select ${part}${needed}>${!required && html`<option value="">not sent</option>`}${options.map((option) => html`<option${option === value && trustedHtml(" selected")}>${String(option)}</option>`)}</select>`;
  if (isFile(schema))
    return html`<input type="file" ${part}${needed}${schema.anyOf !== undefined && trustedHtml(" multiple")}>`;
  return html`<input ${part}${needed} value="${value === undefined ? "" : String(value)}" placeholder="${typeInWords(schema, references)}" spellcheck="false">`;
}

function isFile(schema: Schema): boolean {
  return schema.format === "binary" || (schema.anyOf ?? []).some(({ format }) => format === "binary");
}

/** JSON as text with the example of the document; a form as its fields. */
function drawBody(content: Readonly<Record<string, MediaType>>, references: References): Html {
  const form = content["multipart/form-data"];
  if (form?.schema !== undefined) return drawFormFields(form, references);
  const [[type, media] = ["application/json", {}]] = Object.entries<MediaType>(content);
  const [example] = Object.values(media.examples ?? {});
  const value = media.example ?? (example && references.follow(example).value) ?? {};
  const text = JSON.stringify(value, null, 2);
  return html`<label>Body <span class="type">${type}</span><textarea data-part="json" rows="${Math.min(16, text.split("\n").length + 1)}" spellcheck="false">
${text}</textarea></label>`;
}

/** Required fields come first, with the values of the example; the rest is folded. */
function drawFormFields({ schema: form = {}, examples = {} }: MediaType, references: References): Html {
  const { properties = {}, required = [] } = merged(form, references);
  const [example] = Object.values(examples);
  const given = (example && references.follow(example).value) as
    | Readonly<Record<string, unknown>>
    | undefined;
  const first = ["model", ...required, "mask"];
  const draw = ([name, schema]: readonly [string, Schema]) => {
    const resolved = merged(schema, references);
    const isNeeded = required.includes(name);
    const value = given?.[name] ?? (isNeeded ? resolved.examples?.[0] : undefined);
    const drawing = { part: html`data-part="form" name="${name}"`, required: isNeeded, value, references };
    return html`<label><code>${name}</code> <span class="type">${typeInWords(resolved, references)}${isNeeded && ", required"}</span>${drawInput(resolved, drawing)}</label>`;
  };
  const entries = Object.entries(properties);
  return html`${first.flatMap((name) => entries.filter((entry) => entry[0] === name)).map(draw)}<details class="nested"><summary>More fields</summary>${entries.filter(([name]) => !first.includes(name)).map(draw)}</details>`;
}
