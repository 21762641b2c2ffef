import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { ownFolders } from "../../bundled-packages.mjs";

export const repository = fileURLToPath(new URL("../../../../", import.meta.url));
const gateway = "apps/gateway/src/";
const packageFolders = ownFolders.map((folder) => `${folder}/src/`);

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

/**
 * The modules that the gateway consists of: its own, by their path in its sources, and those of the packages that are
 * parts of it, by their path in the repository.
 */
export function listHouse(): string[] {
  return [
    ...listModules(join(repository, gateway)),
    ...packageFolders.flatMap((folder) =>
      listModules(join(repository, folder)).map((file) => `${folder}${file}`),
    ),
  ];
}

/** The sources among these modules. */
export function withoutTests(files: readonly string[]): string[] {
  return files.filter((file) => !file.endsWith(".test.ts") && !/(^|\/)test\//.test(file));
}

/** The path of a module of the house in the repository. */
export function pathInHouse(file: string): string {
  return join(repository, /^(packages|apps)\//.test(file) ? file : `${gateway}${file}`);
}

/** The name of a module's room: a folder of the gateway, or a package. */
export function roomOf(file: string): string {
  return /^(?:packages|apps)\/([^/]+)\//.exec(file)?.[1] ?? file.split("/")[0] ?? file;
}

/** The imports between modules of the house. */
export function readHouse(files: readonly string[]): Import[] {
  return readImports(pathInHouse, files);
}

/** The imports of these files by each other, including type imports and dynamic ones. */
export function readImports(root: string | ((file: string) => string), files: readonly string[]): Import[] {
  const pathOf = typeof root === "string" ? (file: string) => join(root, file) : root;
  const known = new Set(files);
  return files.flatMap((file) =>
    readStatements(readFileSync(pathOf(file), "utf8")).flatMap(({ path, ...statement }) => {
      const to = targetOf(file, path, known);
      return to === undefined ? [] : [{ from: file, to, ...statement }];
    }),
  );
}

function readStatements(
  text: string,
): (Pick<Import, "isTypeOnly" | "isDynamic"> & { readonly path: string })[] {
  const statements = text.matchAll(/^(?:import|export) (type )?([^;]*?)from "([.@][^"]+)"/gms);
  const named = [...statements].map(([, type, names = "", path = ""]) => ({
    path,
    isTypeOnly: type !== undefined || isOnlyTypes(names),
    isDynamic: false,
  }));
  const unnamed = [...text.matchAll(/(?:^import |import\()"([.@][^"]+)"/gm)].map(([whole, path = ""]) => ({
    path,
    isTypeOnly: false,
    isDynamic: whole.startsWith("import("),
  }));
  return [...named, ...unnamed];
}

/** The file that an import names. Undefined for a package outside of the house. */
function targetOf(file: string, path: string, known: ReadonlySet<string>): string | undefined {
  const [, name, inside] = /^@model-gateway\/([^/]+)\/(.+)$/.exec(path) ?? [];
  if (name !== undefined)
    return packageFolders
      .filter((folder) => folder.endsWith(`/${name}/src/`))
      .map((folder) => existing(`${folder}${inside}`, known))[0];
  if (path.startsWith("@")) return undefined;
  // A relative import names the compiled file.
  const written = normalize(join(dirname(file), path));
  const source = written.replace(/\.js$/, "");
  return known.has(written) ? written : (existing(source, known) ?? `${source}.ts`);
}

function existing(path: string, known: ReadonlySet<string>): string | undefined {
  return [`${path}.ts`, `${path}.tsx`].find((one) => known.has(one));
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
