import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A stand-in for the registry, which has the packed packages of this repository. npm gets others as usual. */
export interface NpmRegistry {
  /** Makes npm ask here for packages of the scope. */
  readonly environment: Readonly<Record<string, string>>;
  /** The names that were asked for. */
  readonly asked: string[];
  close(): Promise<void>;
}

interface Packed {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly bytes: Buffer;
}

/** @param folder Has the tarballs. */
export async function startNpmRegistry(folder: string): Promise<NpmRegistry> {
  const packages = new Map(readdirSync(folder).map((file) => [file, readPacked(join(folder, file))]));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "").slice(1));
    const tarball = packages.get(path);
    if (tarball !== undefined) return void response.end(tarball.bytes);
    asked.push(path);
    const found = [...packages].find(([, { manifest }]) => manifest.name === path);
    if (found === undefined) return void response.writeHead(404).end("{}");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(describe(found, `http://${request.headers.host}`)));
  });
  server.keepAliveTimeout = 120_000;
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    environment: { "npm_config_@model-gateway:registry": `http://127.0.0.1:${port}/` },
    asked,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

function readPacked(path: string): Packed {
  const manifest = execFileSync("tar", ["-xzOf", path, "package/package.json"], { encoding: "utf8" });
  return { manifest: JSON.parse(manifest), bytes: readFileSync(path) };
}

/** https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md */
function describe([file, { manifest, bytes }]: readonly [string, Packed], origin: string): object {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const dist = { tarball: `${origin}/${file}`, integrity };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
