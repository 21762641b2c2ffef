import { readFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

/** The gateway's policies: `apps/gateway/src/http/docs-site.ts`. A gateway test compares them. */
const strict =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";
const forRedoc =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
};

/** The page that the gateway sends to a browser, with the status 404. Its links are absolute here. */
async function lose(response: ServerResponse, folder: string, pathname: string): Promise<void> {
  const isPage = pathname.startsWith("/docs/") && pathname.endsWith("/");
  const headers = { "content-type": types[".html"] ?? "", "content-security-policy": strict };
  response.writeHead(404, isPage ? headers : {});
  response.end(isPage ? await readFile(path.join(folder, "404.html")) : "");
}

/** Serves a folder under `/docs/`, with the gateway's policies. Every other path except readiness is a 404. */
export async function serveSite(folder: string): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site");
    if (pathname === "/readyz")
      return response.writeHead(200, { "content-type": "application/json" }).end("{}");
    const name = pathname.slice("/docs/".length).replace(/(^|\/)$/, "$1index.html");
    const body = pathname.startsWith("/docs/")
      ? await readFile(path.join(folder, name)).catch(() => undefined)
      : undefined;
    if (body === undefined) return lose(response, folder, pathname);
    response.writeHead(200, {
      "content-type": types[path.extname(name)] ?? "application/octet-stream",
      "content-security-policy": name.startsWith("reference/redoc/") ? forRedoc : strict,
      "x-content-type-options": "nosniff",
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/`, server };
}
