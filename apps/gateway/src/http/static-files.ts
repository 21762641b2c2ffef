import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createGunzip, gunzip } from "node:zlib";
import express, { type Request, type RequestHandler, type Response, Router } from "express";
import { setNotedHeaders } from "./response/headers.js";

interface StaticFiles {
  /** The folder that a build has filled. A file may have only its compressed forms, as it has in a published package. */
  readonly folder: string;
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** The content security policy of a file. */
  readonly policy: (path: string) => string;
  /** The `cache-control` of a file. */
  readonly cacheControl: (path: string) => string;
  /** The page for a browser at an address that does not exist. Without one, it gets the JSON error of a program. */
  readonly lostPage?: LostPage;
  /** Changes every page, as HTML and as Markdown. Both are then sent without compression. */
  readonly rewrite?: RewritePages | undefined;
}

/** The change of a page, by the extension of its file. */
export type RewritePages = Readonly<Record<"html" | "md", (page: string) => string>>;

/** @param depth The number of folders between the site's folder and the address. */
type LostPage = (depth: number) => Promise<string | undefined>;

/**
 * The policy of pages that hold a secret: only the build's scripts run, none can write HTML, and nothing is loaded from
 * another host.
 */
export const strictPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** For files with a content hash in their names. */
export const yearLong = "public, max-age=31536000, immutable";

/** Serves the files of a folder, in the compressed form that the build has written beside them where it is accepted. */
export function serveFiles(files: StaticFiles): RequestHandler {
  const { folder, headers, policy, cacheControl, lostPage, rewrite } = files;
  const router = Router();
  router.use(async (request, response, next) => {
    if (leadToFolder(request, response)) return;
    // A range or a condition that fails would make Express respond with an error that has no code of ours.
    for (const name of ["range", "if-match", "if-unmodified-since"]) delete request.headers[name];
    setNotedHeaders(response);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (request.path.endsWith("/")) request.url = request.url.replace(/\/(?=$|\?)/, "/index.html");
    response.setHeader("content-security-policy", policy(request.path));
    response.setHeader("cache-control", cacheControl(request.path));
    if (await leadToPage(request, response, folder)) return;
    if (rewrite !== undefined && (await sendRewritten(request, response, { folder, rewrite }))) return;
    await chooseEncoding(request, response, folder);
    if (!(await sendInflated(request, response, folder))) next();
  });
  router.use(express.static(folder, { index: false, redirect: false, cacheControl: false }));
  router.use(async (request, response, next) => {
    if (lostPage !== undefined && (await sendLostPage(request, response, lostPage))) return;
    // The error of an unknown URL follows.
    for (const name of [...Object.keys(headers), "content-security-policy", "cache-control"])
      response.removeHeader(name);
    next();
  });
  return router;
}

/**
 * `/console` redirects to `/console/`, because pages name their files relative to it. The redirect is relative: a proxy
 * may have removed a path prefix.
 */
function leadToFolder(request: Request, response: Response): boolean {
  if (request.originalUrl.split("?", 1)[0] !== request.baseUrl) return false;
  setNotedHeaders(response);
  response.redirect(308, `${request.baseUrl.slice(request.baseUrl.lastIndexOf("/") + 1)}/`);
  return true;
}

/** A path of a page: its parts are the names of folders. */
const folderPath = /^(?:\/[\w-]+)+$/;

/** `/docs/guides/deploy` redirects to `/docs/guides/deploy/`, with a relative address as above. */
async function leadToPage(request: Request, response: Response, folder: string): Promise<boolean> {
  const { path } = request;
  if (!folderPath.test(path) || !(await isStored(join(folder, path, "index.html")))) return false;
  response.redirect(308, `${path.slice(path.lastIndexOf("/") + 1)}/`);
  return true;
}

async function sendRewritten(
  { path, method }: Request,
  response: Response,
  { folder, rewrite }: Required<Pick<StaticFiles, "folder">> & { readonly rewrite: RewritePages },
): Promise<boolean> {
  const extension = plainPath.exec(path)?.groups?.extension;
  if (method !== "GET" || (extension !== "html" && extension !== "md")) return false;
  const page = await readPage(join(folder, path));
  if (page === undefined) return false;
  response.type(types[extension] ?? extension).send(rewrite[extension](page));
  return true;
}

/** A page has a few hundred links, each with the way out of all folders of the address. */
const depthMax = 8;

async function sendLostPage(request: Request, response: Response, lostPage: LostPage): Promise<boolean> {
  const { originalUrl, baseUrl, method } = request;
  const [path = ""] = originalUrl.split("?", 1);
  const depth = path.slice(baseUrl.length + 1).split("/").length - 1;
  if (method !== "GET" || depth > depthMax || request.accepts(["json", "html"]) !== "html") return false;
  const page = await lostPage(depth);
  if (page === undefined) return false;
  response.setHeader("content-security-policy", strictPolicy);
  response.setHeader("cache-control", "no-cache");
  response.setHeader("vary", "accept");
  response.status(404).type("html").send(page);
  return true;
}

const encodings = [
  { name: "br", extension: ".br" },
  { name: "gzip", extension: ".gz" },
] as const;

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
};

/** The form that every client takes, where a file has others only. */
const packed = ".gz";

/** The text of a page; undefined if there is none. */
export async function readPage(path: string): Promise<string | undefined> {
  const page = await readFile(path, "utf8").catch(() => undefined);
  if (page !== undefined) return page;
  const compressed = await readFile(path + packed).catch(() => undefined);
  return compressed && (await promisify(gunzip)(compressed)).toString();
}

/** Names of files that a build writes. Anything else is left to Express, which checks paths. */
const plainPath = /^(?:\/[\w-][\w.-]*)+\.(?<extension>[a-z]+)$/;

async function chooseEncoding(request: Request, response: Response, folder: string): Promise<void> {
  const { path } = request;
  const type = types[plainPath.exec(path)?.groups?.extension ?? ""];
  if (type === undefined) return;
  response.setHeader("vary", "accept-encoding");
  for (const { name, extension } of encodings) {
    if (request.acceptsEncodings(name) === false || !(await isFile(join(folder, path + extension)))) continue;
    response.setHeader("content-encoding", name);
    response.setHeader("content-type", type);
    request.url = path + extension;
    return;
  }
}

/** For a client that takes no compressed form, which few are. The file goes out in pieces: the largest has 3 MB. */
async function sendInflated(request: Request, response: Response, folder: string): Promise<boolean> {
  const { path, method } = request;
  const type = types[plainPath.exec(path)?.groups?.extension ?? ""];
  const file = join(folder, path);
  if (type === undefined || (method !== "GET" && method !== "HEAD")) return false;
  if ((await isFile(file)) || !(await isFile(file + packed))) return false;
  response.setHeader("content-type", type);
  if (method === "HEAD") response.end();
  // Nothing is left to be said to a client that has gone.
  else await pipeline(createReadStream(file + packed), createGunzip(), response).catch(() => undefined);
  return true;
}

async function isStored(path: string): Promise<boolean> {
  return (await isFile(path)) || (await isFile(path + packed));
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}
