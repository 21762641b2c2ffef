import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";
import { ownFolders } from "../../bundled-packages.mjs";
import { listModules } from "./imports.js";

/** A node of a syntax tree, in the form of ESTree. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Something in the sources: the file and the outermost function or the member of a class, as `file#Class.method`. */
export interface Found {
  readonly at: string;
  /** The kind of thing. */
  readonly what: string;
}

/** A file that is searched. */
export interface SourceText {
  readonly text: string;
  readonly textOf: (node: SyntaxNode) => string;
}

/** The kind of thing that a search sees in a node, or undefined. */
export type Look = (node: SyntaxNode, source: SourceText) => string | undefined;

/** Folders of the code that runs at an operator's or at a caller's. */
export const sourceRoots = [
  "apps/gateway/src",
  ...ownFolders.map((folder) => `${folder}/src`),
  "packages/client/src",
  "packages/local-embeddings/src",
  "packages/sketch/src",
  "packages/vector-check/src",
];

/** The modules in these folders without their tests, from the root of the repository. */
export function listSources(root: string): string[] {
  return sourceRoots.flatMap((folder) =>
    listModules(join(root, folder))
      .filter((file) => !file.endsWith(".test.ts") && !/(^|\/)test\//.test(file))
      .map((file) => `${folder}/${file}`),
  );
}

/** The things in a file, once for each place. */
export function findIn(root: string, file: string, look: Look): Found[] {
  const text = readFileSync(join(root, file), "utf8");
  const source: SourceText = { text, textOf: ({ start, end }) => text.slice(start, end) };
  const found = new Map<string, Found>();
  const visit = (node: SyntaxNode, place: string): void => {
    const inside = placeIn(node, place);
    const what = look(node, source);
    if (what !== undefined) found.set(`${inside} ${what}`, { at: `${file}#${inside || "module"}`, what });
    for (const child of childrenOf(node)) visit(child, inside);
  };
  visit(parseSync(file, text).program as unknown as SyntaxNode, "");
  return [...found.values()];
}

/** The names of all functions, classes and members in a file, in the form of places. */
export function namesIn(root: string, file: string): ReadonlySet<string> {
  const all = findIn(root, file, () => "something");
  return new Set(all.map(({ at }) => at.slice(at.indexOf("#") + 1)));
}

/** The nodes directly in a node. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

const functions = new Set(["ArrowFunctionExpression", "FunctionExpression", "ClassExpression"]);
const members = new Set(["MethodDefinition", "PropertyDefinition", "AccessorProperty"]);

/** The place of what is inside of a node: what a function keeps to itself has its name. */
function placeIn(node: SyntaxNode, place: string): string {
  if (place === "") return isNamed(node) ? nameOf(node.id) : "";
  const isOwnMember = members.has(node.type) && !place.includes(".") && /^[A-Z]/.test(place);
  return isOwnMember ? `${place}.${nameOf(node.key)}` : place;
}

/** A constant is a part of its module. */
function isNamed({ type, init }: SyntaxNode): boolean {
  if (type === "VariableDeclarator") return isNode(init) && functions.has(init.type);
  return type === "FunctionDeclaration" || type === "ClassDeclaration";
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return "";
  return `${node.type === "PrivateIdentifier" ? "#" : ""}${String(node.name ?? node.value ?? "")}`;
}
