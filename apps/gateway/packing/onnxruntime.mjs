import { cpSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { readManifest, root } from "./manifests.mjs";
import { writePlatformPackage } from "./platform-package.mjs";

/**
 * The ONNX Runtime for one platform. The package `onnxruntime-node` has the libraries of all platforms, 288 MB, and an
 * installer that downloads more. The files here are its own, unchanged; what is left out is for other platforms.
 */
const source = realpathSync(join(root, "packages/local-embeddings/node_modules/onnxruntime-node"));
const runtime = readManifest(source);
const binaries = "bin/napi-v6";

/** The platforms that it has, as `linux-x64`. @type {readonly string[]} */
export const platforms = readdirSync(join(source, binaries)).flatMap((os) =>
  readdirSync(join(source, binaries, os)).map((cpu) => `${os}-${cpu}`),
);

/** @param {string} platform */
export function runtimePackage(platform) {
  return `@model-gateway/onnxruntime-${platform}`;
}

/**
 * The published manifest of `@model-gateway/local-embeddings`: npm installs the runtime of one platform.
 *
 * @param {import("./manifests.mjs").Manifest} manifest
 */
export function withRuntimes(manifest) {
  const { "onnxruntime-node": _, ...dependencies } = manifest.dependencies ?? {};
  const runtimes = platforms.map((platform) => [runtimePackage(platform), manifest.version]);
  return { ...manifest, dependencies, optionalDependencies: Object.fromEntries(runtimes) };
}

/**
 * Writes the package of one platform into a folder.
 *
 * @param {string} folder
 * @param {{ platform: string, version: string, engines: unknown }} options
 */
export function stageRuntime(folder, { platform, version, engines }) {
  const [os = "", cpu = ""] = platform.split("-");
  const place = join(binaries, os, cpu);
  cpSync(join(source, "dist"), join(folder, "dist"), {
    recursive: true,
    filter: (path) => !path.endsWith(".map"),
  });
  cpSync(join(source, place), join(folder, place), { recursive: true, filter: (path) => !isCopy(path) });
  writePlatformPackage(folder, {
    manifest: {
      name: runtimePackage(platform),
      version,
      description: `ONNX Runtime ${runtime.version} for Node.js on ${platform}, from the package onnxruntime-node.`,
      license: runtime.license,
      os: [os],
      cpu: [cpu],
      ...(os === "linux" && { libc: ["glibc"] }),
      engines,
      main: "dist/index.js",
      types: "dist/index.d.ts",
      dependencies: { "onnxruntime-common": runtime.dependencies?.["onnxruntime-common"] },
    },
    installedWith: "@model-gateway/local-embeddings",
    sources: `https://github.com/microsoft/onnxruntime/tree/v${runtime.version}`,
    licence,
  });
}

/** macOS: the package has the library twice, where the build had a link. The binding loads `libonnxruntime.1.dylib`. @param {string} path */
function isCopy(path) {
  return /libonnxruntime\.\d+\.\d+\.\d+\.dylib$/.test(path);
}

/** The package itself carries no text of its licence. https://github.com/microsoft/onnxruntime/blob/main/LICENSE */
const licence = `MIT License

Copyright (c) Microsoft Corporation

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`;
