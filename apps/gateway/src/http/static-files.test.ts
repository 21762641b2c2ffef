import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import type { Arrival } from "../execution/request-context.js";
import { setArrival } from "./request/arrival.js";
import { type RewritePages, serveFiles } from "./static-files.js";

const page = `<h1>A guide</h1>${"<p>Some words.</p>".repeat(5000)}`;

/** The address of a site with one page, which is stored as in a build, or as in a published package. */
async function serveSite(stored: "in all forms" | "compressed", rewrite?: RewritePages): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "site-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "guide"));
  const forms = { ".br": brotliCompressSync(page), ".gz": gzipSync(page), "": page };
  for (const [extension, form] of Object.entries(forms))
    if (stored === "in all forms" || extension !== "")
      writeFileSync(join(folder, `guide/index.html${extension}`), form);
  const app = express();
  app.use((_request, response, next) => {
    setArrival(response, { headers: [] } as unknown as Arrival);
    next();
  });
  app.use("/docs", serveFiles({ folder, headers: {}, policy: () => "", cacheControl: () => "", rewrite }));
  const server = app.listen(0);
  await once(server, "listening");
  onTestFinished(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
}

const storedForms = ["in all forms", "compressed"] as const;

test.each(
  storedForms.flatMap((stored) => ["br", "gzip", "identity"].map((encoding) => ({ stored, encoding }))),
)("a page that is stored $stored is sent as $encoding", async ({ stored, encoding }) => {
  const site = await serveSite(stored);

  const response = await fetch(`${site}/guide/`, { headers: { "accept-encoding": encoding } });

  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("content-encoding")).toBe(encoding === "identity" ? null : encoding);
  expect(response.headers.get("vary")).toBe("accept-encoding");
  expect(await response.text()).toBe(page);
});

test.each(storedForms)(
  "a page that is stored %s is asked for without its text or its slash",
  async (stored) => {
    const site = await serveSite(stored);
    const headers = { "accept-encoding": "identity" };

    const head = await fetch(`${site}/guide/`, { method: "HEAD", headers });
    const led = await fetch(`${site}/guide`, { headers, redirect: "manual" });
    const posted = await fetch(`${site}/guide/`, { method: "POST", headers });

    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect([led.status, led.headers.get("location")]).toEqual([308, "guide/"]);
    expect(posted.status).toBe(404);
  },
);

test.each(storedForms)("a page that is stored %s is rewritten", async (stored) => {
  const site = await serveSite(stored, {
    html: (text) => text.replace("A guide", "Guide"),
    md: (text) => text,
  });

  const response = await fetch(`${site}/guide/`);

  expect(await response.text()).toBe(page.replace("A guide", "Guide"));
});
