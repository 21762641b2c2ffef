import { type Document, isPair, isScalar, type LineCounter, type Scalar, visit, type YAMLError } from "yaml";
import { isReferenceName } from "../references/reference-names.js";
import type { Substitution } from "../secrets/find-secrets.js";
import { parseText, type UnquotedValue } from "./unquoted-variables.js";

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** An error in the configuration, and its position. */
export interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly at?: { readonly line: number; readonly column: number };
}

interface YamlFile {
  readonly value: unknown;
  readonly faults: Fault[];
  /** The position of a path such as `["models", "x", "type"]` in the file, or of its nearest parent. */
  readonly locate: (path: readonly PropertyKey[]) => { line: number; column: number } | undefined;
  /** The values that have parts from the environment. */
  readonly substitutions: readonly Substitution[];
  /** The names of the variables in the value at a path. */
  readonly variablesAt: (path: readonly PropertyKey[]) => readonly string[];
  /** Whether the value at a path needs a variable that is not set, or quotes, so that nothing more can be said about it. */
  readonly isUnset: (path: readonly PropertyKey[]) => boolean;
  /** Whether the file has a value at a path, and none of it is from the environment. */
  readonly isPlainText: (path: readonly PropertyKey[]) => boolean;
  readonly warnings: readonly string[];
}

const placeholder = /(\$?)\$\{([^}]*)\}/g;

/** The environment variables that a file refers to. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(placeholder)].flatMap(([, dollar, variable = ""]) =>
    dollar === "" ? [variable] : [],
  );
}

/**
 * Reads YAML and replaces `${NAME}` in its values by environment variables. `$${NAME}` becomes the text `${NAME}`. Names
 * and texts that callers see keep `${NAME}`: a secret in one would be public.
 */
export function readYaml(text: string, environment: EnvironmentVariables): YamlFile {
  const { document, lines, unquoted, isUnquoted } = parseText(text);
  const faults: Fault[] = [
    ...unquoted.map((value) => explainUnquoted(value, lines)),
    ...document.errors.map(asFault),
  ];
  const substituted = new WeakMap<object, readonly string[]>();
  const incomplete = new WeakSet<object>();
  const unset = new Map<string, FilePosition[]>();
  const substitutions: Substitution[] = [];
  const warnings: string[] = [];
  visit(document, {
    Scalar(key, node, ancestors) {
      if (key === "key") {
        faults.push(...checkName(node, keysOf(ancestors)));
        return;
      }
      if (isUnquoted(node)) incomplete.add(node);
      if (typeof node.value !== "string" || !node.value.includes("${")) return;
      const path = keysOf(ancestors);
      if (isForCallers(path)) {
        if (variablesIn(node.value).length > 0)
          warnings.push(`${path.join(".")}: callers see this text, so its variables are not replaced.`);
        node.value = node.value.replace(placeholder, (whole, dollar: string) =>
          dollar === "" ? whole : whole.slice(1),
        );
        return;
      }
      const variables: string[] = [];
      const names: string[] = [];
      const text = node.value.replace(placeholder, (whole, dollar: string, variable: string) => {
        if (dollar !== "") return whole.slice(1);
        const value = environment[variable];
        if (value !== undefined && value !== "") {
          variables.push(value);
          names.push(variable);
          return value;
        }
        const { line, col: column } = lines.linePos(node.range?.[0] ?? 0);
        unset.set(variable, [...(unset.get(variable) ?? []), { line, column }]);
        incomplete.add(node);
        return whole;
      });
      node.value = text;
      substituted.set(node, names);
      substitutions.push({ key: path.at(-1) ?? "", text, variables });
    },
  });
  // Why a reference has no value is a fault of who has read it.
  faults.push(...[...unset].filter(([name]) => !isReferenceName(name)).map(explainUnset));
  // With a key that is there twice, the rest of the file can still be read.
  const isReadable = document.errors.every(({ code }) => code === "DUPLICATE_KEY");
  const value = isReadable ? toValue(document, faults) : undefined;
  const scalarAt = (path: readonly PropertyKey[]): Scalar | undefined => {
    const node = document.getIn(path, true);
    return isScalar(node) ? node : undefined;
  };
  return {
    value,
    faults,
    substitutions,
    warnings,
    locate: (path) => locate(document, lines, path),
    variablesAt: (path) => {
      const node = scalarAt(path);
      return (node && substituted.get(node)) ?? [];
    },
    isUnset: (path) => {
      const node = scalarAt(path);
      return node !== undefined && incomplete.has(node);
    },
    isPlainText: (path) => {
      const node = scalarAt(path);
      return node !== undefined && !substituted.has(node);
    },
  };
}

/** The keys above a value. Those above a key end with the key itself. */
function keysOf(ancestors: readonly unknown[]): string[] {
  return ancestors.flatMap((ancestor) =>
    isPair(ancestor) && isScalar(ancestor.key) ? [String(ancestor.key.value)] : [],
  );
}

/** The settings of a model whose texts callers see. */
const textsForCallers = /^(description|aliases|passThrough|inputTypes|space|revision)$/;

function isForCallers([section, name, ...keys]: readonly string[]): boolean {
  if (section === "images") return name === "labelUnsigned";
  return section === "models" && keys.some((key) => textsForCallers.test(key));
}

/** JavaScript's objects have these names already, and code that looks one up would find something else. */
function checkName({ value }: Scalar, path: readonly string[]): Fault[] {
  if (typeof value !== "string" || !(value in Object.prototype)) return [];
  return [{ path, message: `the name "${value}" cannot be used; choose another` }];
}

interface FilePosition {
  readonly line: number;
  readonly column: number;
}

function explainUnquoted({ start, variable }: UnquotedValue, lines: LineCounter): Fault {
  const { line, col: column } = lines.linePos(start);
  const message = `a value with \${${variable}} needs quotes inside { } and [ ]: "\${${variable}}"`;
  return { path: [], message, at: { line, column } };
}

/** A variable that is used in many places is one fault, at the first of them. */
function explainUnset([variable, [at, ...others]]: [string, FilePosition[]]): Fault {
  const lines = [...new Set(others.map(({ line }) => line))].filter((line) => line !== at?.line);
  const also =
    lines.length === 0 ? "" : ` (used again in ${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")})`;
  return {
    path: [],
    message: `the environment variable ${variable} is not set${also}; set it, or write $\${${variable}} for the literal text`,
    ...(at === undefined ? {} : { at }),
  };
}

/** A reference to an anchor that does not exist is found only here, and so are references that multiply. */
function toValue(document: Document, faults: Fault[]): unknown {
  try {
    return document.toJS();
  } catch (failure) {
    if (!(failure instanceof ReferenceError)) throw failure;
    faults.push({
      path: [],
      message: "the file refers with * to an anchor that does not exist, or to too many",
    });
    return undefined;
  }
}

/** Plain messages for YAML syntax errors. */
const syntaxFaults: Readonly<Partial<Record<YAMLError["code"], string>>> = {
  TAB_AS_INDENT: "the line is indented with a tab; use spaces",
  DUPLICATE_KEY: "the key is there already, earlier in the same mapping; remove one of the two",
  MULTIPLE_DOCS: "the file has a second document after ---; put everything into one",
  BAD_INDENT: "the indentation does not fit: a bracket is not closed, or the line is not indented far enough",
  MISSING_CHAR: "a quote, a bracket, a comma or the space after a colon is missing",
  BLOCK_AS_IMPLICIT_KEY: "the line has a second colon; put the value in quotes, or on a separate line",
  MULTILINE_IMPLICIT_KEY: "a key goes over several lines; a colon is missing, or a quote is not closed",
  UNEXPECTED_TOKEN: "the text does not fit here; look for a missing quote, bracket or comma",
};

function asFault(error: YAMLError): Fault {
  const [at] = error.linePos ?? [];
  const message = explainSyntax(error);
  return { path: [], message, ...(at && { at: { line: at.line, column: at.col } }) };
}

function explainSyntax({ code, message }: YAMLError): string {
  return `invalid YAML: ${syntaxFaults[code] ?? withoutPosition(message)}`;
}

/** The first line of a parser message, without the position at its end. */
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
