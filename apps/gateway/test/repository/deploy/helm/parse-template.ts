/**
 * Parses the part of Go's template language that the chart uses: text, output, `if`, `with`, `range`, `define`,
 * variables, pipelines and parentheses. Anything else is an error. https://pkg.go.dev/text/template
 */
export type Node =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "output"; readonly pipeline: Pipeline }
  | { readonly kind: "assign"; readonly name: string; readonly pipeline: Pipeline }
  | {
      readonly kind: "if" | "with" | "range";
      readonly pipeline: Pipeline;
      /** The names of a range over a map: the key and the value. */
      readonly names: readonly string[];
      readonly then: readonly Node[];
      readonly otherwise: readonly Node[];
    };

/** Commands; the value of each is the last argument of the next. */
export type Pipeline = readonly (readonly Operand[])[];

export type Operand =
  | { readonly kind: "value"; readonly value: string | number | boolean }
  /** `.a.b`, `$.a.b` or `$name.a.b`; the root of the first is undefined. */
  | { readonly kind: "path"; readonly root: string | undefined; readonly fields: readonly string[] }
  | { readonly kind: "call"; readonly name: string }
  | { readonly kind: "group"; readonly pipeline: Pipeline };

export interface Parsed {
  readonly nodes: readonly Node[];
  readonly defined: ReadonlyMap<string, readonly Node[]>;
}

/** Parses a file of the chart. `defined` has the templates of its `define` blocks. */
export function parseTemplate(source: string): Parsed {
  const parser = new Parser(splitActions(source));
  const nodes = parser.readNodes(["EOF"]);
  return { nodes, defined: parser.defined };
}

type Piece = { readonly text: string } | { readonly action: string };

/** Text and actions. A dash at either side of an action removes all white space beside it. */
function splitActions(source: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  let trimsNext = false;
  for (const match of source.matchAll(/\{\{(-\s)?([\s\S]*?)(\s-)?\}\}/g)) {
    const [whole, trimsBefore, inner = "", trimsAfter] = match;
    let text = source.slice(end, match.index);
    if (trimsNext) text = text.trimStart();
    if (trimsBefore !== undefined) text = text.trimEnd();
    pieces.push({ text });
    const action = inner.trim();
    if (!action.startsWith("/*")) pieces.push({ action });
    end = match.index + whole.length;
    trimsNext = trimsAfter !== undefined;
  }
  const rest = source.slice(end);
  if (rest.includes("{{")) throw new Error(`An action has no end: ${rest.slice(0, 60)}`);
  return [...pieces, { text: trimsNext ? rest.trimStart() : rest }];
}

class Parser {
  readonly defined = new Map<string, readonly Node[]>();
  #at = 0;
  /** The action that ended the last list of nodes. */
  #ended = "";

  constructor(readonly pieces: readonly Piece[]) {}

  readNodes(ends: readonly string[]): Node[] {
    const nodes: Node[] = [];
    while (true) {
      const piece = this.pieces[this.#at++];
      if (piece === undefined && ends.includes("EOF")) return nodes;
      if (piece === undefined) throw new Error(`A block has no end.`);
      if ("text" in piece) {
        if (piece.text !== "") nodes.push({ kind: "text", text: piece.text });
        continue;
      }
      const [word = ""] = piece.action.split(/\s/);
      if (ends.includes(word)) {
        this.#ended = piece.action;
        return nodes;
      }
      const node = this.#readAction(word, piece.action);
      if (node !== undefined) nodes.push(node);
    }
  }

  #readAction(word: string, action: string): Node | undefined {
    const rest = action.slice(word.length).trim();
    if (word === "define") {
      const name = /^"([\w.-]+)"$/.exec(rest)?.[1];
      if (name === undefined) throw new Error(`define needs a name: ${action}`);
      this.defined.set(name, this.readNodes(["end"]));
      return undefined;
    }
    if (word === "if" || word === "with" || word === "range") return this.#readBlock(word, rest);
    const assigned = /^\$(\w+) := ([\s\S]+)$/.exec(action);
    if (assigned !== null)
      return { kind: "assign", name: assigned[1] ?? "", pipeline: parsePipeline(assigned[2] ?? "") };
    return { kind: "output", pipeline: parsePipeline(action) };
  }

  #readBlock(kind: "if" | "with" | "range", rest: string): Node {
    const ranged = kind === "range" ? /^\$(\w+), \$(\w+) := ([\s\S]+)$/.exec(rest) : null;
    const names = ranged === null ? [] : [ranged[1] ?? "", ranged[2] ?? ""];
    const pipeline = parsePipeline(ranged?.[3] ?? rest);
    const then = this.readNodes(["end", "else"]);
    if (this.#ended === "end") return { kind, pipeline, names, then, otherwise: [] };
    const condition = /^else if ([\s\S]+)$/.exec(this.#ended)?.[1];
    if (condition !== undefined)
      return { kind, pipeline, names, then, otherwise: [this.#readBlock("if", condition)] };
    return { kind, pipeline, names, then, otherwise: this.readNodes(["end"]) };
  }
}

const token = /\s*("(?:[^"\\]|\\.)*"|-?\d+\b|[()|]|(?:\$\w*)?(?:\.\w+)+|\$\w*|\.|[A-Za-z]\w*)/y;

function parsePipeline(source: string): Pipeline {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < source.length) {
    const found = token.exec(source)?.[1];
    if (found === undefined) throw new Error(`This is not in the subset: ${source}`);
    tokens.push(found);
  }
  const pipeline = readPipeline(tokens);
  if (tokens.length > 0) throw new Error(`There is more than a pipeline: ${source}`);
  return pipeline;
}

/** Takes the tokens of a pipeline, up to the end or a closing parenthesis. */
function readPipeline(tokens: string[]): Pipeline {
  const commands: Operand[][] = [[]];
  while (tokens.length > 0 && tokens[0] !== ")") {
    const next = tokens.shift() ?? "";
    if (next === "|") commands.push([]);
    else commands.at(-1)?.push(next === "(" ? readGroup(tokens) : operandOf(next));
  }
  if (commands.some((command) => command.length === 0)) throw new Error("A command of a pipeline is empty.");
  return commands;
}

function readGroup(tokens: string[]): Operand {
  const pipeline = readPipeline(tokens);
  if (tokens.shift() !== ")") throw new Error("A parenthesis is not closed.");
  return { kind: "group", pipeline };
}

function operandOf(text: string): Operand {
  if (text.startsWith('"')) return { kind: "value", value: JSON.parse(text) };
  if (/^-?\d/.test(text)) return { kind: "value", value: Number(text) };
  if (text === "true" || text === "false") return { kind: "value", value: text === "true" };
  if (text === ".") return { kind: "path", root: undefined, fields: [] };
  if (/^[.$]/.test(text)) {
    const [root = "", ...fields] = text.split(".");
    return { kind: "path", root: root === "" ? undefined : root.slice(1), fields };
  }
  return { kind: "call", name: text };
}
