import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import express, { type RequestHandler, Router } from "express";
import { setNotedHeaders } from "./response/headers.js";

/** The pages load nothing from other hosts. */
const contentSecurityPolicy = [
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

/** Serves the reference site that apps/docs builds. */
export function serveDocs(): RequestHandler {
  const site = join(
    dirname(createRequire(import.meta.url).resolve("@model-gateway/docs/package.json")),
    "dist",
  );
  const router = Router();
  router.use((request, response, next) => {
    // A range or a condition that fails would make Express respond with an error that has no code of ours.
    for (const name of ["range", "if-match", "if-unmodified-since"]) delete request.headers[name];
    setNotedHeaders(response);
    response.setHeader("content-security-policy", contentSecurityPolicy);
    response.setHeader("x-content-type-options", "nosniff");
    next();
  });
  router.use(express.static(site, { maxAge: "5m" }));
  return router;
}
