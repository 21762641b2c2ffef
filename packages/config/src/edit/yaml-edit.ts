import { isDeepStrictEqual } from "node:util";
import { isObject } from "@model-gateway/runtime/json";
import { isAlias, isCollection, isMap, isPair, isScalar, type Pair, parseDocument, type YAMLMap } from "yaml";
import {
  indentOf,
  lineEnd,
  lineStart,
  renderBlock,
  renderInFlow,
  renderPair,
  withComments,
} from "./yaml-lines.js";

/** The file has a form that cannot be changed in place, such as an alias for a section. */
export class UnsupportedYaml extends Error {}

/** Of entries in a section that had none. */
const indentStep = 2;

type Path = readonly [string, ...string[]];

/**
 * Sets the value at a path of keys in a YAML text, or removes it if the value is undefined. Only the lines of the value
 * change: the text is spliced at the positions of its nodes, because a YAML library would write every line again. A map
 * is changed key by key, so that comments inside it stay.
 *
 * The result is read again: if it is not exactly the text's value with this one change, it throws `UnsupportedYaml`.
 */
export function setIn(text: string, path: Path, value: unknown): string {
  const before = valueIn(text);
  const changed = change(text, path, value);
  if (!isDeepStrictEqual(valueIn(changed), withValue(before, path, value)))
    throw new UnsupportedYaml(`The value at ${path.join(".")} cannot be changed in place.`);
  return changed;
}

function change(text: string, path: Path, value: unknown): string {
  const { parent, pair, missing } = find(text, path);
  if (missing.length > 0) {
    if (value === undefined) return text;
    const [key = "", ...inner] = missing;
    const whole = inner.reduceRight<unknown>((content, name) => ({ [name]: content }), value);
    if (pair !== undefined) return fillEmpty(text, pair, { [key]: whole });
    return parent === undefined ? appendToEmpty(text, key, whole) : insertPair(text, parent, key, whole);
  }
  if (pair === undefined || parent === undefined) throw new UnsupportedYaml("The file has no content.");
  if (value === undefined) return removePair(text, path, parent, pair);
  const old: unknown = objectIn(valueIn(text), path);
  if (isDeepStrictEqual(old, value)) return text;
  if (isMap(pair.value) && isObject(value) && isObject(old) && Object.keys(value).length > 0)
    return changeKeys(text, path, old, value);
  return replaceValue(text, pair, parent, value);
}

/** Removed keys go first, so that the last key is never removed before another one is there. */
function changeKeys(
  text: string,
  path: Path,
  old: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): string {
  let changed = text;
  for (const [key, value] of Object.entries(wanted))
    if (!isDeepStrictEqual(old[key], value)) changed = change(changed, [...path, key] as Path, value);
  for (const key of Object.keys(old))
    if (!Object.hasOwn(wanted, key)) changed = change(changed, [...path, key] as Path, undefined);
  return changed;
}

interface Found {
  /** The map that holds the last pair that was found, or that lacks the first missing key. */
  readonly parent: YAMLMap | undefined;
  /** The pair at the path, or the one above the missing keys whose value is empty. */
  readonly pair: Pair | undefined;
  /** The keys of the path that are not there. */
  readonly missing: readonly string[];
}

function find(text: string, path: Path): Found {
  const { contents } = parseDocument(text);
  if (contents === null || (isScalar(contents) && contents.value === null))
    return { parent: undefined, pair: undefined, missing: path };
  if (!isMap(contents)) throw new UnsupportedYaml("The file is not a mapping.");
  let parent: YAMLMap = contents;
  for (const [index, key] of path.entries()) {
    const pair = pairOf(parent, key);
    if (pair === undefined) return { parent, pair: undefined, missing: path.slice(index) };
    if (index === path.length - 1) return { parent, pair, missing: [] };
    const { value } = pair;
    if (isEmpty(value) && parent.flow !== true) return { parent, pair, missing: path.slice(index + 1) };
    if (!isMap(value)) throw new UnsupportedYaml(`${path.slice(0, index + 1).join(".")} is not a mapping.`);
    parent = value;
  }
  throw new UnsupportedYaml("The path is empty.");
}

/** Nothing after the colon, or empty braces. */
function isEmpty(node: unknown): boolean {
  if (isMap(node)) return node.flow === true && node.items.length === 0;
  return node === null || (isScalar(node) && node.value === null);
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

function appendToEmpty(text: string, key: string, value: unknown): string {
  return `${withNewline(text)}${renderPair(key, value, { text, indent: 0, isFlow: false })}`;
}

function insertPair(text: string, map: YAMLMap, key: string, value: unknown): string {
  const last = map.items.at(-1);
  if (map.flow === true) {
    const inner = renderInFlow({ [key]: value })
      .slice(1, -1)
      .trim();
    if (last !== undefined) return splice(text, endOf(last), endOf(last), `, ${inner}`);
    const [start, end] = rangeOf(map);
    return splice(text, start, end, `{ ${inner} }`);
  }
  if (last === undefined) throw new UnsupportedYaml("A block mapping has no entries.");
  const indent = indentOf(text, startOf(last));
  const at = indent === 0 ? text.length : withComments(text, lineEnd(text, endOf(last)), indent);
  const isFlow = isCollection(last.value) && last.value.flow === true;
  const rendered = renderPair(key, value, { text, indent, isFlow });
  const isOpen = at > 0 && text[at - 1] !== "\n";
  return splice(text, at, at, `${isOpen ? newlineOf(text) : ""}${rendered}`);
}

function removePair(text: string, path: Path, map: YAMLMap, pair: Pair): string {
  const index = map.items.indexOf(pair);
  if (map.items.length === 1 && path.length > 1) return emptyMap(text, path.slice(0, -1) as unknown as Path);
  if (map.flow === true) {
    const previous = map.items[index - 1];
    const next = map.items[index + 1];
    if (next !== undefined) return splice(text, startOf(pair), startOf(next), "");
    return splice(text, previous === undefined ? startOf(pair) : endOf(previous), endOf(pair), "");
  }
  const start = lineStart(text, startOf(pair));
  const indent = indentOf(text, startOf(pair));
  return splice(text, start, withComments(text, lineEnd(text, endOf(pair)), indent + 1), "");
}

/** Gives a key without a value its first entries. A comment in its line stays. */
function fillEmpty(text: string, pair: Pair, entries: Readonly<Record<string, unknown>>): string {
  const [start, end] = pair.value === null ? [0, 0] : rangeOf(pair.value);
  const at = lineEnd(text, Math.max(end, rangeOf(pair.key)[1]));
  const indent = indentOf(text, startOf(pair)) + indentStep;
  const lines = Object.entries(entries).map(([key, value]) =>
    renderPair(key, value, { text, indent, isFlow: false }),
  );
  const isOpen = text[at - 1] !== "\n";
  const filled = splice(text, at, at, `${isOpen ? newlineOf(text) : ""}${lines.join("")}`);
  if (end === start) return filled;
  return splice(filled, text[start - 1] === " " ? start - 1 : start, end, "");
}

/** An empty block mapping would be null. */
function emptyMap(text: string, path: Path): string {
  const { pair } = find(text, path);
  const value = pair?.value;
  if (pair === undefined || !isMap(value)) throw new UnsupportedYaml("A mapping was not found again.");
  if (value.flow === true) {
    const [start, end] = rangeOf(value);
    return splice(text, start, end, "{}");
  }
  const [only] = value.items;
  if (only === undefined) throw new UnsupportedYaml("A mapping has no entries.");
  const end = withComments(text, lineEnd(text, endOf(only)), indentOf(text, startOf(only)) + 1);
  const without = splice(text, lineStart(text, startOf(only)), end, "");
  const colon = text.indexOf(":", rangeOf(pair.key)[1]);
  return splice(without, colon + 1, colon + 1, " {}");
}

function replaceValue(text: string, pair: Pair, parent: YAMLMap | undefined, value: unknown): string {
  const { value: node } = pair;
  const isInFlow = parent?.flow === true;
  const isFlow = isInFlow || (isCollection(node) && node.flow === true);
  const [start, end] = node === null ? [0, 0] : rangeOf(node);
  const inline = isFlow ? renderInFlow(value) : renderBlock(value);
  const isBlock = isCollection(node) && node.flow !== true;
  const isOneLine = ![text.slice(start, end), inline].some((part) => part === "" || part.includes("\n"));
  const fits = isFlow || !(isObject(value) || Array.isArray(value));
  // A comment at the end of the line stays.
  if (isOneLine && !isBlock && fits) return splice(text, start, end, inline);
  if (isInFlow) throw new UnsupportedYaml("A value in braces cannot be replaced.");
  const keyStart = startOf(pair);
  const key = isScalar(pair.key) ? String(pair.key.value) : "";
  const rendered = renderPair(key, value, { text, indent: indentOf(text, keyStart), isFlow: false });
  return splice(text, lineStart(text, keyStart), lineEnd(text, endOf(pair)), rendered);
}

function splice(text: string, start: number, end: number, inserted: string): string {
  return `${text.slice(0, start)}${inserted}${text.slice(end)}`;
}

function withNewline(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}${newlineOf(text)}`;
}

function newlineOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function startOf({ key }: Pair): number {
  return rangeOf(key)[0];
}

/** The end of the last value in a pair. A block collection's own range goes on to the next line with text. */
function endOf(node: unknown): number {
  if (isPair(node)) {
    const { key, value } = node;
    const end = value === null || value === undefined ? 0 : endOf(value);
    return Math.max(end, rangeOf(key)[1]);
  }
  if (isCollection(node) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    return last === undefined || last === null ? rangeOf(node)[1] : endOf(last);
  }
  return rangeOf(node)[1];
}

function rangeOf(node: unknown): readonly [number, number] {
  const range = (isScalar(node) || isAlias(node) || isCollection(node)) && node.range;
  if (!range) throw new UnsupportedYaml("A value has no position.");
  return [range[0], range[1]];
}

function valueIn(text: string): unknown {
  const document = parseDocument(text);
  if (document.errors.length > 0) throw new UnsupportedYaml("The text is not valid YAML.");
  try {
    return document.toJS();
  } catch {
    throw new UnsupportedYaml("An alias has no anchor.");
  }
}

function objectIn(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}

function withValue(whole: unknown, [key, ...rest]: Path, value: unknown): unknown {
  const object = isObject(whole) ? whole : {};
  if (rest.length === 0) {
    const { [key]: _removed, ...others } = object;
    return value === undefined ? others : { ...object, [key]: value };
  }
  if (value === undefined && !Object.hasOwn(object, key)) return whole;
  return { ...object, [key]: withValue(object[key], rest as unknown as Path, value) };
}
