import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { RequestHandler } from "express";
import { type RewritePages, readPage, serveFiles, strictPolicy, yearLong } from "./static-files.js";

/** Redoc writes styles and HTML itself. Its page loads nothing from other hosts, and opens in a separate tab. */
const redocPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Serves the site that apps/docs builds. A form that tries an operation holds a key, so the policy is the strict one.
 * Without a console, nothing links to one.
 */
export function serveDocs({ servesConsole }: { readonly servesConsole: boolean }): RequestHandler {
  const folder = join(
    dirname(createRequire(import.meta.url).resolve("@model-gateway/docs/package.json")),
    "dist",
  );
  return serveFiles({
    folder,
    headers: {
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
    },
    policy: (path) => (path.startsWith("/reference/redoc/") ? redocPolicy : strictPolicy),
    cacheControl: (path) => (path.startsWith("/assets/") ? yearLong : "public, max-age=300"),
    rewrite: servesConsole ? undefined : withoutConsole,
    lostPage: async (depth) => {
      const page = await readPage(join(folder, "404.html"));
      // Its links are absolute. A proxy may have removed a path prefix, so they become relative.
      const relative = page?.replaceAll('"/docs/', `"${"../".repeat(depth) || "./"}`);
      return servesConsole || relative === undefined ? relative : withoutConsole.html(relative);
    },
  });
}

/** The link of the header, as `apps/docs/frame/site-header.ts` draws it. */
const headerLink = /<a href="[^"]*\.\.\/console\/"[^>]*>Console<\/a>/g;
/** A link of a guide to a page of the console. Its words stay. */
const guideLink = /<a href="[^"]*\.\.\/console\/[^"]*"[^>]*>(.*?)<\/a>/gs;
/** The same in Markdown, as `apps/docs/markdown/twin-links.ts` writes it. */
const markdownLink = /\[([^\]]*)\]\([^)\s]*\.\.\/console\/[^)\s]*\)/g;

const withoutConsole: RewritePages = {
  html: (page) => page.replaceAll(headerLink, "").replaceAll(guideLink, "$1"),
  md: (page) => page.replaceAll(markdownLink, "$1"),
};
