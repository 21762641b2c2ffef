import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** An import of one file by another, relative to their folder. */
export interface Import {
  readonly from: string;
  readonly to: string;
  readonly isTypeOnly: boolean;
  /** Whether the file is loaded on demand. */
  readonly isDynamic: boolean;
}

/** Modules that a person wrote: neither installed, nor built, nor declarations. */
export function listModules(root: string): string[] {
  const isForeign = /(^|\/)(node_modules|dist|generated|weights)\//;
  return readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.(ts|tsx|mjs)$/.test(file) && !file.endsWith(".d.ts") && !isForeign.test(file),
  );
}

/** The relative imports in these files, including type imports and dynamic ones. */
export function readImports(root: string, files: readonly string[]): Import[] {
  const known = new Set(files);
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const statements = [...text.matchAll(/^(?:import|export) (type )?([^;]*?)from "(\.[^"]+)"/gms)];
    const unnamed = [...text.matchAll(/(?:^import |import\()"(\.[^"]+)"/gm)].map(([whole, path = ""]) => [
      whole,
      undefined,
      "",
      path,
    ]);
    return [...statements, ...unnamed].map(([whole = "", type, names = "", path = ""]) => ({
      from: file,
      to: sourceOf(relative(root, join(root, file, "..", path)), known),
      isTypeOnly: type !== undefined || isOnlyTypes(names),
      isDynamic: whole.startsWith("import("),
    }));
  });
}

/** An import names the compiled file. */
function sourceOf(path: string, known: ReadonlySet<string>): string {
  const written = path.replace(/\.js$/, "");
  return [path, `${written}.ts`, `${written}.tsx`].find((one) => known.has(one)) ?? `${written}.ts`;
}

/** `import { type A, type B }` imports types only as well. */
function isOnlyTypes(names: string): boolean {
  const inside =
    /^\{([^}]*)\}\s*$/s
      .exec(names.trim())?.[1]
      ?.split(",")
      .map((name) => name.trim())
      .filter(Boolean) ?? [];
  return inside.length > 0 && inside.every((name) => name.startsWith("type "));
}

/** Each circle as the files on it, the first one repeated at the end. */
export function findCircles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const circles: string[][] = [];
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file]);
    if (done.has(file) || trail.includes(file)) return;
    for (const next of targets.get(file) ?? []) walk(next, [...trail, file]);
    done.add(file);
  };
  for (const file of targets.keys()) walk(file, []);
  return circles;
}
