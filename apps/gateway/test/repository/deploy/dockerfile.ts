import { readFileSync } from "node:fs";
import { join } from "node:path";

const gateway = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(gateway, path), "utf8");

/** A line of the Dockerfile, with continued lines joined. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** A stage: its name, or an empty text, and its instructions after FROM. */
export interface Stage {
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

export function readDockerfile(): Instruction[] {
  return read("Dockerfile")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [name = "", ...rest] = line.split(" ");
      return { name, text: rest.join(" ").trim() };
    });
}

export function stagesOf(instructions: readonly Instruction[]): Stage[] {
  const stages: { name: string; instructions: Instruction[] }[] = [];
  for (const instruction of instructions) {
    if (instruction.name === "FROM")
      stages.push({ name: / AS (\w+)$/.exec(instruction.text)?.[1] ?? "", instructions: [] });
    else stages.at(-1)?.instructions.push(instruction);
  }
  return stages;
}

/** The pairs of an ENV instruction. */
export function pairsOf(text: string): Record<string, string> {
  return Object.fromEntries(text.split(" ").map((pair) => pair.split("=")));
}

/** Whether Docker leaves a file out of the context, by the ignore file beside the Dockerfile. */
export function readIgnored(): (path: string) => boolean {
  const patterns = read("Dockerfile.dockerignore")
    .split("\n")
    .filter((line) => line !== "");
  const known = /^(?:\*\*\/)?[\w.*-]+(?:\/[\w.-]+)*$/;
  const odd = patterns.filter((pattern) => !known.test(pattern));
  if (odd.length > 0) throw new Error(`Teach this test the patterns ${odd.join(", ")}.`);
  const expressions = patterns.map((pattern) => {
    const [, anywhere, name = ""] = /^(\*\*\/)?(.*)$/.exec(pattern) ?? [];
    const escaped = name.replaceAll(".", "\\.").replaceAll("*", "[^/]*");
    return new RegExp(`^${anywhere === undefined ? "" : "(?:.*/)?"}${escaped}(?:/|$)`);
  });
  return (path) => expressions.some((expression) => expression.test(path));
}
