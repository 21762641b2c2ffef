import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { html } from "../frame/html.js";
import { drawBrand, drawPlaces } from "../frame/site-header.js";
import type { SpecDocument, SpecOperation } from "./spec-document.js";

const config = fileURLToPath(new URL("redocly.yaml", import.meta.url));

/** The page that opens Redoc, below the header of the site. */
export function drawRedocPage(files: { readonly script: string; readonly css: string }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Model Gateway</title>
<meta name="description" content="Every operation of the gateway on one page.">
<link rel="icon" href="../../icon.svg">
<link rel="alternate" type="text/markdown" href="../../reference.md">
<link rel="stylesheet" href="../../${files.css}">
<script type="module" src="../../${files.script}"></script>
</head>
<body>
<header class="bar">${drawBrand("../../")}<nav class="top" aria-label="Places">${drawPlaces("../../", "Reference")}</nav></header>
<noscript>This page needs JavaScript. <a href="../">The pages of the operations</a> do not.</noscript>
<div id="redoc"></div>
</body>
</html>
`.text;
}

/** The document for Redoc: the same, and each operation leads to its page, where it can be tried. */
export function linkOperationPages(document: SpecDocument): SpecDocument {
  const link = <T extends SpecDocument["paths"]>(paths: T): T =>
    Object.fromEntries(
      Object.entries(paths).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [method, withLink(operation)]),
        ),
      ]),
    ) as T;
  return {
    ...document,
    paths: link(document.paths),
    ...(document.webhooks && { webhooks: link(document.webhooks) }),
  };
}

function withLink(operation: SpecOperation): SpecOperation {
  if (operation.operationId === undefined) return operation;
  const line = `[Its own page: samples and a form to try it](../${operation.operationId}/)`;
  return { ...operation, description: `${operation.description ?? ""}\n\n${line}` };
}

/** Returns the script of the page: Redoc, the document and the options in one module, taken from `redocly build-docs`. */
export async function renderRedoc(document: object): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "model-gateway-docs-"));
  try {
    const [input, output] = [path.join(folder, "openapi.json"), path.join(folder, "index.html")];
    await writeFile(input, JSON.stringify(document));
    const options = ["--config", config, "--inlineBundle", "--output", output];
    // Turns off the update check, which calls the npm registry.
    const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    await promisify(execFile)("redocly", ["build-docs", input, ...options], { env });
    return withoutRemoteLogo(moduleScript(await readFile(output, "utf8")));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A strict Content-Security-Policy forbids inline scripts, so the script becomes a file. */
function moduleScript(html: string): string {
  const script = /<script type="module">([\s\S]*)<\/script>/.exec(html)?.[1];
  if (!script) throw new Error("redocly build-docs wrote no module script. Its page format has changed.");
  return script;
}

/** Redoc loads its makers' logo from their CDN. It is the only remote resource of the page. */
function withoutRemoteLogo(script: string): string {
  return script.replace(/https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g, logo);
}

const logo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 50 16" height="16">' +
    '<text y="12" font-family="system-ui, sans-serif" font-size="12" fill="#4a90c2">Redocly</text></svg>',
)}`;
