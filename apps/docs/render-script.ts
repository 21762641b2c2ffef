import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const config = fileURLToPath(new URL("redocly.yaml", import.meta.url));

/** Returns the script of the site: Redoc, the document and the options in one module, taken from `redocly build-docs`. */
export async function renderScript(document: object): Promise<string> {
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
