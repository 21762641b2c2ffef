import { Document, isMap, isSeq, type Node } from "yaml";

/** Longer flow mappings are written in block style. */
const flowLengthMax = 110;

/** The position after the line feed of the line that a position is in, or ends. */
export function lineEnd(text: string, position: number): number {
  if (position > 0 && text[position - 1] === "\n") return position;
  const end = text.indexOf("\n", position);
  return end === -1 ? text.length : end + 1;
}

export function lineStart(text: string, position: number): number {
  return text.lastIndexOf("\n", position - 1) + 1;
}

/** The number of letters before a position in its line. */
export function indentOf(text: string, position: number): number {
  return position - lineStart(text, position);
}

/** The position after the comments that follow a position, at this indent or a deeper one. */
export function withComments(text: string, position: number, indent: number): number {
  let end = position;
  for (let at = position; at < text.length; ) {
    const next = lineEnd(text, at + 1);
    const line = text.slice(at, next);
    const [, spaces = "", rest = ""] = /^( *)(.*)/.exec(line) ?? [];
    if (rest.trim() !== "" && !(rest.startsWith("#") && spaces.length >= indent)) break;
    // A blank line is passed only on the way to a comment.
    if (rest.trim() !== "") end = next;
    at = next;
  }
  return end;
}

interface PairPlace {
  /** The whole text, for its line ends. */
  readonly text: string;
  readonly indent: number;
  /** Whether the neighbours are flow mappings. */
  readonly isFlow: boolean;
}

/** A key and its value as whole lines. */
export function renderPair(key: string, value: unknown, { text, indent, isFlow }: PairPlace): string {
  const flow = isFlow ? render({ [key]: value }, (node) => flowFrom(node, 1)) : "";
  const isShort = flow !== "" && flow.length + indent <= flowLengthMax && flow.trimEnd().indexOf("\n") === -1;
  const rendered = isShort ? flow : render({ [key]: value }, flowInLists);
  const lines = rendered.replace(/\n$/, "").split("\n");
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  return lines.map((line) => `${line === "" ? "" : " ".repeat(indent)}${line}${newline}`).join("");
}

/** A value as it stands in a flow collection, on one line. */
export function renderInFlow(value: unknown): string {
  return render([value], (node) => flowFrom(node, 0))
    .trim()
    .slice(1, -1)
    .trim();
}

/** A value as it stands after the colon of a block mapping. A collection has several lines. */
export function renderBlock(value: unknown): string {
  return render(value, flowInLists).trimEnd();
}

function render(value: unknown, style: (node: unknown) => void): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  style(document.contents);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** Collections below this depth are in flow style. */
function flowFrom(node: unknown, depth: number): void {
  if (!isMap(node) && !isSeq(node)) return;
  if (depth === 0) node.flow = true;
  else for (const inner of innerNodes(node)) flowFrom(inner, depth - 1);
}

/** The entries of a list are one line each, as the guide writes targets. */
function flowInLists(node: unknown): void {
  if (isSeq(node)) for (const item of node.items) flowFrom(item, 0);
  else if (isMap(node)) for (const inner of innerNodes(node)) flowInLists(inner);
}

function innerNodes(node: Node): unknown[] {
  if (isMap(node)) return node.items.map(({ value }) => value);
  return isSeq(node) ? [...node.items] : [];
}
