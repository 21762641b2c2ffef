import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type OutputOptions, type RolldownOptions } from "rolldown";
import type { SourceOf } from "./shares.js";

const gatewayFolder = fileURLToPath(new URL("../../../", import.meta.url));
const distFolder = join(gatewayFolder, "dist");

/**
 * Finds the source file of a function in `dist/`, which has no source maps: they would be published with it. The chunks
 * are bundled again in memory, with maps, and must be the same letter for letter.
 */
export async function openSourceFiles(): Promise<SourceOf> {
  const maps = await bundleMaps();
  return ({ url, lineNumber, columnNumber }) => {
    // The folder is the one in which the code was compiled and kept, which may have been another checkout.
    const [, chunk = ""] = /\/dist\/([^/]+\.cjs)$/.exec(url) ?? [];
    const entry = maps.get(chunk)?.findEntry(lineNumber, columnNumber);
    return entry !== undefined && "originalSource" in entry ? entry.originalSource : url;
  };
}

async function bundleMaps(): Promise<ReadonlyMap<string, SourceMap>> {
  const config: { server: RolldownOptions & { output: OutputOptions } } = await import(
    join(gatewayFolder, "rolldown.config.mjs")
  );
  const { output } = await build({
    ...config.server,
    cwd: gatewayFolder,
    write: false,
    logLevel: "silent",
    output: { ...config.server.output, sourcemap: "hidden" },
  });
  return new Map(
    output.flatMap((file) => {
      if (file.type !== "chunk" || file.map === null) return [];
      if (readFileSync(join(distFolder, file.fileName), "utf8") !== file.code)
        throw new Error(`dist/${file.fileName} is not what its sources give: build the gateway.`);
      return [[file.fileName, toSourceMap(file.map)] as const];
    }),
  );
}

function toSourceMap(map: {
  file: string;
  version: number;
  sources: string[];
  names: string[];
  mappings: string;
}): SourceMap {
  const { file, version, sources, names, mappings } = map;
  return new SourceMap({ file, version, sources, names, mappings, sourcesContent: [], sourceRoot: "" });
}
