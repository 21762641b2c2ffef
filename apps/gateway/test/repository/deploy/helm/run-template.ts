import { createHash } from "node:crypto";
import { stringify } from "yaml";
import type { Node, Operand, Pipeline } from "./parse-template.js";

type Functions = Readonly<Record<string, (...args: unknown[]) => unknown>>;

/** Runs parsed templates. A value that does not exist is an error here; Helm writes nothing for it. */
export class TemplateRunner {
  readonly #functions: Functions;

  constructor(readonly defined: ReadonlyMap<string, readonly Node[]>) {
    this.#functions = { ...functions, include: (name, data) => this.#include(text(name), data) };
  }

  run(nodes: readonly Node[], data: unknown): string {
    return this.#run(nodes, data, new Map([["", data]]));
  }

  #include(name: string, data: unknown): string {
    const nodes = this.defined.get(name);
    if (nodes === undefined) throw new Error(`No template is called ${name}.`);
    return this.run(nodes, data);
  }

  #run(nodes: readonly Node[], dot: unknown, outer: ReadonlyMap<string, unknown>): string {
    const variables = new Map(outer);
    let written = "";
    for (const node of nodes) {
      if (node.kind === "text") written += node.text;
      else if (node.kind === "assign")
        variables.set(node.name, this.#evaluate(node.pipeline, dot, variables));
      else if (node.kind === "output") written += shown(this.#evaluate(node.pipeline, dot, variables));
      else written += this.#runBlock(node, dot, variables);
    }
    return written;
  }

  #runBlock(
    node: Extract<Node, { kind: "if" | "with" | "range" }>,
    dot: unknown,
    variables: ReadonlyMap<string, unknown>,
  ): string {
    const value = this.#evaluate(node.pipeline, dot, variables);
    if (!isTrue(value)) return this.#run(node.otherwise, dot, variables);
    if (node.kind === "if") return this.#run(node.then, dot, variables);
    if (node.kind === "with") return this.#run(node.then, value, variables);
    // Go sorts the keys of a map.
    const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(map(value)).sort();
    const [keyName, valueName] = node.names;
    return entries
      .map(([key, one]) => {
        const own = new Map(variables);
        if (keyName !== undefined && valueName !== undefined) own.set(keyName, key).set(valueName, one);
        return this.#run(node.then, one, own);
      })
      .join("");
  }

  #evaluate(pipeline: Pipeline, dot: unknown, variables: ReadonlyMap<string, unknown>): unknown {
    let piped: unknown[] = [];
    for (const [first, ...rest] of pipeline) {
      if (first === undefined) throw new Error("A command is empty.");
      const operand = (one: Operand) => this.#operand(one, dot, variables);
      if (first.kind === "call") {
        const called = this.#functions[first.name];
        if (called === undefined) throw new Error(`The function ${first.name} is not in the subset.`);
        piped = [called(...rest.map(operand), ...piped)];
      } else if (rest.length > 0 || piped.length > 0) throw new Error("Only a function takes arguments.");
      else piped = [operand(first)];
    }
    return piped[0];
  }

  #operand(operand: Operand, dot: unknown, variables: ReadonlyMap<string, unknown>): unknown {
    if (operand.kind === "value") return operand.value;
    if (operand.kind === "group") return this.#evaluate(operand.pipeline, dot, variables);
    if (operand.kind === "call") return this.#evaluate([[operand]], dot, variables);
    if (operand.root !== undefined && !variables.has(operand.root))
      throw new Error(`There is no variable $${operand.root}.`);
    const start = operand.root === undefined ? dot : variables.get(operand.root);
    return operand.fields.reduce<unknown>((value, field) => {
      if (!Object.hasOwn(map(value), field)) throw new Error(`There is no ${operand.fields.join(".")}.`);
      return map(value)[field];
    }, start);
  }
}

const functions: Functions = {
  and: (...values) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  or: (...values) => values.find(isTrue) ?? values.at(-1),
  not: (value) => !isTrue(value),
  gt: (a, b) => Number(a) > Number(b),
  int: (value) => Math.trunc(Number(value)),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  hasKey: (value, key) => Object.hasOwn(map(value), text(key)),
  quote: (value) => JSON.stringify(shown(value)),
  printf: (format, ...values) => {
    let index = 0;
    return text(format).replace(/%(.)/g, (_, verb) => {
      if (verb !== "s") throw new Error(`printf knows only %s, not %${verb}.`);
      return text(values[index++]);
    });
  },
  trunc: (length, value) => text(value).slice(0, Number(length)),
  trimSuffix: (suffix, value) =>
    text(value).endsWith(text(suffix)) ? text(value).slice(0, -text(suffix).length) : value,
  replace: (old, by, value) => text(value).replaceAll(text(old), text(by)),
  contains: (part, value) => text(value).includes(text(part)),
  regexMatch: (pattern, value) => {
    const multiline = /^\(\?m\)(.*)$/.exec(text(pattern))?.[1];
    return new RegExp(multiline ?? text(pattern), multiline === undefined ? "" : "m").test(text(value));
  },
  sha256sum: (value) => createHash("sha256").update(text(value)).digest("hex"),
  nindent: (spaces, value) => `\n${indented(Number(spaces), text(value))}`,
  toYaml: (value) => stringify(value, { sortMapEntries: true, lineWidth: 0, version: "1.1" }).trimEnd(),
  fail: (message) => {
    throw new Error(text(message));
  },
};

function indented(spaces: number, value: string): string {
  return value.replace(/^/gm, " ".repeat(spaces));
}

/** The empty values of Go: false, 0, nothing, and a text, list or map without content. */
function isTrue(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function shown(value: unknown): string {
  if (typeof value === "object" || value === undefined)
    throw new Error(`${JSON.stringify(value)} cannot be written.`);
  return String(value);
}

function text(value: unknown): string {
  if (typeof value !== "string") throw new Error(`${JSON.stringify(value)} is not a text.`);
  return value;
}

function map(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${JSON.stringify(value)} is not a map.`);
  return value as Readonly<Record<string, unknown>>;
}
