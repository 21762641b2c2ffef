import { type Html, html } from "../frame/html.js";
import type { References, Schema } from "./spec-document.js";

/** Draws Markdown of the document, such as a description. */
export type DrawText = (markdown: string) => Html;

export interface FieldDrawing {
  readonly references: References;
  readonly drawText: DrawText;
}

/** Objects within objects are folded; deeper than this only their type is named. */
const depthMax = 6;

/** Draws the fields of an object: required ones first, nested objects folded. */
export function drawFields(schema: Schema, drawing: FieldDrawing, depth = 0): Html | undefined {
  const { properties, required = [], additionalProperties } = merged(schema, drawing.references);
  const names = Object.keys(properties ?? {});
  const ordered = [
    ...names.filter((name) => required.includes(name)),
    ...names.filter((name) => !required.includes(name)),
  ];
  const any = typeof additionalProperties === "object" ? additionalProperties : undefined;
  if (ordered.length === 0 && any === undefined) return undefined;
  return html`<ul class="fields">${ordered.map((name) =>
    drawField({ name, schema: properties?.[name] ?? {}, required: required.includes(name) }, drawing, depth),
  )}${any !== undefined && drawField({ name: "any other name", schema: any, required: false }, drawing, depth)}</ul>`;
}

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** Replaces the description of the schema. */
  readonly description?: string;
  readonly note?: string;
}

export function drawField(field: Field, drawing: FieldDrawing, depth = 0): Html {
  const schema = merged(field.schema, drawing.references);
  const description = field.description ?? schema.description;
  return html`<li><p class="field"><code>${field.name}</code> <span class="type">${typeInWords(schema, drawing.references)}</span>${field.required && html` <span class="required">required</span>`}${schema.deprecated === true && html` <span class="type">deprecated</span>`}${field.note !== undefined && html` <span class="type">${field.note}</span>`}</p>
${description !== undefined && drawing.drawText(description)}${drawLimits(schema)}${drawNested(schema, drawing, depth)}</li>`;
}

function drawNested(schema: Schema, drawing: FieldDrawing, depth: number): Html | undefined {
  if (depth >= depthMax) return undefined;
  const { references, drawText } = drawing;
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) {
    return html`<ul class="choices">${choices.map((choice) => {
      const one = merged(choice, references);
      return html`<li><span class="type">${choiceName(one, references)}</span>${one.description !== undefined && drawText(one.description)}${drawLimits(one)}${drawNested(one, drawing, depth + 1)}</li>`;
    })}</ul>`;
  }
  const inner = schema.items === undefined ? schema : merged(schema.items, references);
  if (schema.items !== undefined && (inner.oneOf ?? inner.anyOf) !== undefined)
    return drawNested(inner, drawing, depth + 1);
  const fields = drawFields(inner, drawing, depth + 1);
  return (
    fields &&
    html`<details class="nested"><summary>Fields of ${schema.items === undefined ? "the object" : "each item"}</summary>${fields}</details>`
  );
}

/** An event of a stream is known by its `type`, any other choice by its title or its type in words. */
function choiceName(schema: Schema, references: References): string {
  const kind = schema.properties?.type?.const;
  if (kind !== undefined) return String(kind);
  return schema.title ?? typeInWords(schema, references);
}

/** A type as one would say it: "array of strings", "string or null". */
export function typeInWords(schema: Schema, references: References, many = false): string {
  const resolved = merged(schema, references);
  const plural = (word: string) => (many ? `${word}s` : word);
  if (resolved.const !== undefined) return many ? `${JSON.stringify(resolved.const)}` : "constant";
  const choices = resolved.oneOf ?? resolved.anyOf;
  if (choices !== undefined) {
    const words = [...new Set(choices.map((choice) => typeInWords(choice, references, many)))];
    return words.join(" or ");
  }
  const types = [
    resolved.type ?? (resolved.properties ? "object" : resolved.enum ? "string" : "any value"),
  ].flat();
  const words = types.map((type) => {
    if (type === "array")
      return `${plural("array")} of ${resolved.items ? typeInWords(resolved.items, references, true) : "values"}`;
    if (type === "string" && resolved.format === "binary") return plural("file");
    if (type === "null" || type === "any value") return type;
    return plural(type);
  });
  return words.join(" or ");
}

function drawLimits(schema: Schema): Html | undefined {
  const limits = limitsInWords(schema);
  const examples = (schema.examples ?? []).filter((example) => typeof example !== "object").slice(0, 2);
  const showsExample = examples.length > 0 && schema.const === undefined && schema.enum === undefined;
  if (limits.length === 0 && schema.enum === undefined && schema.const === undefined && !showsExample)
    return undefined;
  return html`<p class="limits">${limits.length > 0 && html`${limits.join(", ")}. `}${schema.const !== undefined && html`Always <code>${JSON.stringify(schema.const)}</code>. `}${schema.enum !== undefined && html`One of ${list(schema.enum)}. `}${showsExample && html`Example: ${list(examples)}`}</p>`;
}

function list(values: readonly unknown[]): Html {
  return html`${values.map((value, index) => html`${index > 0 && ", "}<code>${shorten(String(value))}</code>`)}`;
}

function limitsInWords(schema: Schema): string[] {
  const range = (low: number | undefined, high: number | undefined, what: string): string[] => {
    const [least, most] = [low?.toLocaleString("en"), high?.toLocaleString("en")];
    if (least !== undefined && most !== undefined) return [`${least} to ${most}${what}`];
    if (least !== undefined) return [`at least ${least}${what}`];
    return most === undefined ? [] : [`at most ${most}${what}`];
  };
  const limits = [
    ...range(schema.minimum, schema.maximum, ""),
    ...(schema.exclusiveMinimum === undefined ? [] : [`more than ${schema.exclusiveMinimum}`]),
    ...range(schema.minLength, schema.maxLength, " characters"),
    ...range(schema.minItems, schema.maxItems, " items"),
    ...(schema["x-expected"] === undefined ? [] : [`${schema["x-expected"]}`]),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
    ...(schema.format === undefined || schema.format === "binary" ? [] : [`format ${schema.format}`]),
  ];
  const [first, ...rest] = limits;
  return first === undefined ? [] : [first.charAt(0).toUpperCase() + first.slice(1), ...rest];
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** A schema without references and without `allOf` at its top. */
export function merged(schema: Schema, references: References): Schema {
  const { allOf, ...own } = references.follow(schema);
  if (allOf === undefined) return own;
  const parts = allOf.map((part) => merged(part, references));
  return {
    ...Object.assign({}, ...parts),
    ...own,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), own.properties),
    required: [...parts.flatMap(({ required }) => required ?? []), ...(own.required ?? [])],
  };
}
