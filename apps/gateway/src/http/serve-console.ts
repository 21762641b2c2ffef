import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Request, RequestHandler, Response } from "express";
import { setNotedHeaders } from "./response/headers.js";
import { serveFiles, strictPolicy, yearLong } from "./static-files.js";

/** Serves the console that apps/console builds. The files need no key and hold nothing of this gateway. */
export function serveConsole(): RequestHandler {
  return serveFiles({
    folder: join(
      dirname(createRequire(import.meta.url).resolve("@model-gateway/console/package.json")),
      "dist",
    ),
    headers: {
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
    },
    // The page holds the token of a session.
    policy: () => strictPolicy,
    cacheControl: (path) => (path.startsWith("/assets/") ? yearLong : "no-cache"),
  });
}

/** Sends a browser that opens `/` to a site. The address is relative, as a proxy may have taken a prefix off the path. */
export function leadBrowsersTo(site: "console/" | "docs/"): RequestHandler {
  return (request: Request, response: Response, next) => {
    if (request.accepts(["json", "html"]) !== "html") return next();
    setNotedHeaders(response);
    response.setHeader("vary", "accept");
    response.redirect(302, site);
  };
}
