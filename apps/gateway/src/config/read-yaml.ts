import { type Document, isScalar, LineCounter, parseDocument, visit } from "yaml";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Something wrong with the configuration, and where. */
export interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly at?: { readonly line: number; readonly column: number };
}

export interface YamlFile {
  readonly value: unknown;
  readonly faults: Fault[];
  /** The place in the file of a path such as `["models", "x", "type"]`, or of its nearest parent. */
  readonly locate: (path: readonly PropertyKey[]) => { line: number; column: number } | undefined;
  /** Whether the value at a path was taken from the environment. */
  readonly isFromEnvironment: (path: readonly PropertyKey[]) => boolean;
  /** Whether the value at a path stands in the file as it is. */
  readonly isPlainText: (path: readonly PropertyKey[]) => boolean;
}

/** Reads YAML and puts `${NAME}` from the environment into its strings. `$${NAME}` stays as `${NAME}`. */
export function readYaml(text: string, environment: Environment): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const faults: Fault[] = document.errors.map((error) => ({
    path: [],
    message: error.message.split("\n")[0] ?? "",
    ...(error.linePos === undefined
      ? {}
      : { at: { line: error.linePos[0].line, column: error.linePos[0].col } }),
  }));
  const substituted = new WeakSet<object>();
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value !== "string" || !node.value.includes("${")) return;
      node.value = node.value.replace(/(\$?)\$\{([^}]*)\}/g, (whole, dollar: string, variable: string) => {
        if (dollar !== "") return whole.slice(1);
        const value = environment[variable];
        if (value !== undefined && value !== "") return value;
        const { line, col: column } = lines.linePos(node.range?.[0] ?? 0);
        faults.push({
          path: [],
          message: `the environment variable ${variable} is not set`,
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
