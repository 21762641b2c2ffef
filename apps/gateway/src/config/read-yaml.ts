import { type Document, isScalar, LineCounter, parseDocument, visit } from "yaml";

export type Environment = Readonly<Record<string, string | undefined>>;

/** An error in the configuration, and its position. */
export interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly at?: { readonly line: number; readonly column: number };
}

export interface YamlFile {
  readonly value: unknown;
  readonly faults: Fault[];
  /** The position of a path such as `["models", "x", "type"]` in the file, or of its nearest parent. */
  readonly locate: (path: readonly PropertyKey[]) => { line: number; column: number } | undefined;
  /** Whether the value at a path has a part from the environment. */
  readonly isFromEnvironment: (path: readonly PropertyKey[]) => boolean;
  /** Whether the file has a value at a path, and none of it is from the environment. */
  readonly isPlainText: (path: readonly PropertyKey[]) => boolean;
}

const placeholder = /(\$?)\$\{([^}]*)\}/g;

/** The environment variables that a file refers to. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(placeholder)].flatMap(([, dollar, variable = ""]) =>
    dollar === "" ? [variable] : [],
  );
}

/** Reads YAML and replaces `${NAME}` in its strings by environment variables. `$${NAME}` becomes the text `${NAME}`. */
export function readYaml(text: string, environment: Environment): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const faults: Fault[] = document.errors.map((error) => ({
    path: [],
    message: `invalid YAML: ${withoutPosition(error.message)}`,
    ...(error.linePos === undefined
      ? {}
      : { at: { line: error.linePos[0].line, column: error.linePos[0].col } }),
  }));
  const substituted = new WeakSet<object>();
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value !== "string" || !node.value.includes("${")) return;
      node.value = node.value.replace(placeholder, (whole, dollar: string, variable: string) => {
        if (dollar !== "") return whole.slice(1);
        const value = environment[variable];
        if (value !== undefined && value !== "") return value;
        const { line, col: column } = lines.linePos(node.range?.[0] ?? 0);
        faults.push({
          path: [],
          message: `the environment variable ${variable} is not set; set it, or write $\${${variable}} for the literal text`,
          at: { line, column },
        });
        return whole;
      });
      substituted.add(node);
    },
  });
  return {
    value: faults.length > 0 && document.errors.length > 0 ? undefined : document.toJS(),
    faults,
    locate: (path) => locate(document, lines, path),
    isFromEnvironment: (path) => {
      const node = document.getIn(path, true);
      return isScalar(node) && substituted.has(node);
    },
    isPlainText: (path) => {
      const node = document.getIn(path, true);
      return isScalar(node) && !substituted.has(node);
    },
  };
}

/** The first line of a message of the parser. It repeats the position at its end. */
function withoutPosition(message: string): string {
  return (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:$/, "");
}

function locate(
  document: Document,
  lines: LineCounter,
  path: readonly PropertyKey[],
): { line: number; column: number } | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const range = node !== null && typeof node === "object" && "range" in node ? node.range : undefined;
    if (!Array.isArray(range)) continue;
    const { line, col } = lines.linePos(Number(range[0]));
    return { line, column: col };
  }
  return undefined;
}
