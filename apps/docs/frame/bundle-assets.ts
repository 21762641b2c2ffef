import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Frame } from "./page-frame.js";

const docs = fileURLToPath(new URL("../", import.meta.url));

/**
 * Bundles the scripts and the style into `assets/`. File names contain a content hash, so that a browser may cache them
 * for a year. Search and form code is in separate files.
 */
export async function bundleAssets(out: string): Promise<Frame["assets"]> {
  const options = {
    absWorkingDir: docs,
    bundle: true,
    minify: true,
    outdir: path.join(out, "assets"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    target: "es2022",
    logLevel: "warning",
    metafile: true,
  } as const;
  const [modules, rest] = await Promise.all([
    build({ ...options, entryPoints: ["browser/site.ts"], format: "esm", splitting: true }),
    // Not a module: it must run before the page is drawn.
    build({
      ...options,
      entryPoints: ["browser/theme.ts", "frame/site.css", "reference/redoc.css"],
      format: "iife",
    }),
  ]);
  const outputs = Object.entries({ ...modules.metafile.outputs, ...rest.metafile.outputs });
  const named = (entry: string) => {
    const found = outputs.find(([, { entryPoint }]) => entryPoint === entry)?.[0];
    if (found === undefined) throw new Error(`esbuild wrote nothing for ${entry}.`);
    return `assets/${path.basename(found)}`;
  };
  return {
    theme: named("browser/theme.ts"),
    site: named("browser/site.ts"),
    css: named("frame/site.css"),
    redocCss: named("reference/redoc.css"),
  };
}

/** Writes a file that was made elsewhere, with a hash in its name. */
export async function writeAsset(out: string, name: string, text: string): Promise<string> {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase();
  const { name: base, ext } = path.parse(name);
  const file = `assets/${base}-${hash}${ext}`;
  await mkdir(path.join(out, "assets"), { recursive: true });
  await writeFile(path.join(out, file), text);
  return file;
}
