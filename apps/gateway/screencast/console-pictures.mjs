/**
 * Takes the pictures of the console in the README and the guide: `npm run build`, then
 * `node apps/gateway/screencast/console-pictures.mjs`. The traffic of the last two days is invented: its rows are put
 * where a gateway that was stopped leaves those it has not stored. The rest is the gateway's own.
 */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { Film } from "./film.mjs";

/** @param {string} file */
const builtModule = (file) => import(new URL(`../dist/modules/usage/ledger/${file}`, import.meta.url).href);
const { writeLine } = await builtModule("ledger-line.js");
const { emptyRow } = await builtModule("ledger-columns.js");
const images = fileURLToPath(new URL("../../docs/guides/images/", import.meta.url));
const size = { width: 1280, height: 860 };
/** A result and its facts, below the prompts. */
const tall = { width: 1280, height: 1340 };
const adminKey = `mg_admin_${"0".repeat(38)}`;
const callerKey = `mg_${"0".repeat(38)}`;
const port = process.env.PORT ?? "8080";
/** The usual one of vLLM. */
const vllmPort = 8000;
const hourMs = 3_600_000;
const texts = [
  "The cat sleeps on the sofa.",
  "A kitten naps on the couch.",
  "Stock prices fell on Monday.",
  "The market dropped at the start of the week.",
  "How do I reset my password?",
  "I forgot my login and need a new one.",
];
/** The invented traffic: each model's share of the requests, and what one of them is like. */
const kinds = [
  { model: "gte-small", share: 0.6, operation: "createEmbedding", tokens: 24, ms: 21 },
  { model: "all-MiniLM-L6-v2", share: 0.28, operation: "createEmbedding", tokens: 18, ms: 12 },
  { model: "local-sketch", share: 0.12, operation: "createImage", images: 1, ms: 95 },
];
const config = `
upstreams:
  local: { provider: local }
  shed: { provider: openai-compatible, baseUrl: "http://127.0.0.1:9/v1" }
models:
  gte-small: { type: embedding, targets: [{ upstream: local, model: gte-small }] }
  all-MiniLM-L6-v2: { type: embedding, targets: [{ upstream: local, model: all-MiniLM-L6-v2 }] }
  local-sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] }
  nomic-embed: { type: embedding, dimensions: 768, targets: [{ upstream: shed, model: nomic-embed-text }] }
keys: [{ name: search-service, key: ${callerKey} }]
`;

const folder = mkdtempSync(join(tmpdir(), "console-pictures-"));
writeFileSync(join(folder, "gateway.yaml"), config);
leaveRows(join(folder, "data/ledger-spool/1"));
const gateway = spawn(process.execPath, [join(import.meta.dirname, "../bin.mjs"), "--log", "text"], {
  cwd: folder,
  env: { PATH: process.env.PATH, HOME: folder, PORT: port, GATEWAY_ADMIN_KEY: adminKey },
  stdio: ["ignore", "pipe", "inherit"],
});
const exited = once(gateway, "exit");
try {
  await once(gateway.stdout.setEncoding("utf8"), "data");
  await isReady();
  await embed("gte-small");
  for (let call = 0; call < 6; call += 1) await embed("nomic-embed");
  const film = await Film.open();
  await film.page.setViewportSize(size);
  await film.page.emulateMedia({ colorScheme: "light" });
  await takePictures(film.page);
  await film.close();
} finally {
  gateway.kill();
  await exited;
  rmSync(folder, { recursive: true, force: true });
}

/** @param {import("playwright-core").Page} page */
async function takePictures(page) {
  await page.goto(`http://127.0.0.1:${port}/console/`);
  await page.getByLabel("Key").fill(adminKey);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("nomic-embed has had no healthy target").waitFor();
  await write(page, "console-overview");
  await page.getByRole("link", { name: "Embeddings", exact: true }).click();
  await page.getByLabel("Model", { exact: true }).selectOption("gte-small");
  await page.getByLabel("One text a line").fill(texts.join("\n"));
  await page.keyboard.press("Control+Enter");
  await page
    .locator(".matrix tbody tr")
    .nth(texts.length - 1)
    .waitFor();
  await write(page, "console-embeddings");
  await reviewUpstream(page);
  await previewBatch(page);
  await page.setViewportSize(tall);
  await comparePrompts(page);
  await editImage(page);
}

/** The upstream, a server that only lists its models, is not added but reviewed. @param {import("playwright-core").Page} page */
async function reviewUpstream(page) {
  const models = {
    object: "list",
    data: ["bge-m3", "bge-reranker-v2-m3"].map((id) => ({ id, object: "model" })),
  };
  const studio = createServer((_, response) => response.end(JSON.stringify(models)));
  studio.listen(vllmPort, "127.0.0.1");
  await once(studio, "listening");
  await page.getByRole("link", { name: "Upstreams", exact: true }).click();
  await page.getByRole("link", { name: "Add upstream" }).click();
  await page.getByRole("link", { name: /^vLLM vllm / }).click();
  await page.getByLabel("Name").fill("studio");
  await page.getByLabel("Base URL").fill(`http://127.0.0.1:${vllmPort}/v1`);
  await page.getByLabel("API key").fill("sk-0123456789abcdef");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("bge-m3", { exact: true }).check();
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("region", { name: /^The change to/ }).waitFor();
  await write(page, "console-review");
  studio.close();
}

/** The file is not uploaded. @param {import("playwright-core").Page} page */
async function previewBatch(page) {
  const lines = texts.map((input, index) =>
    JSON.stringify({
      custom_id: `row-${index + 1}`,
      method: "POST",
      url: "/v1/embeddings",
      body: { model: "gte-small", input },
    }),
  );
  const faulty = [lines[0], lines[1]?.slice(0, 70), ...lines.slice(2), lines[0]];
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await page.getByRole("link", { name: "Create batch" }).click();
  const buffer = Buffer.from(faulty.join("\n"));
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "handbook.jsonl", mimeType: "application/jsonl", buffer });
  await page.getByText("2 lines have faults.").waitFor();
  await write(page, "console-batch");
  await page.keyboard.press("Escape");
}

/** @param {import("playwright-core").Page} page */
async function comparePrompts(page) {
  await page.getByRole("link", { name: "Images", exact: true }).click();
  await page.getByRole("button", { name: "Compare with another prompt" }).click();
  await page.getByLabel("Prompt B").fill("a blue fox at night");
  await page.getByRole("button", { name: /^Generate/ }).click();
  await page.getByText("together").waitFor();
  await write(page, "console-compare");
  await page.getByRole("button", { name: "Remove prompt B" }).click();
}

/** @param {import("playwright-core").Page} page */
async function editImage(page) {
  await page.getByRole("button", { name: "Edit this one" }).first().click();
  const box = await page.locator(".easel canvas").boundingBox();
  if (box === null) throw new Error("There is nothing to paint on.");
  await page.getByLabel("Brush").fill("120");
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height * 0.2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height * 0.4, { steps: 12 });
  await page.mouse.up();
  await page.getByLabel("Prompt", { exact: true }).fill("a hot air balloon");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByText(/^Outside the mask:/).waitFor();
  await page.locator(".brush").evaluate((brush) => brush.scrollIntoView());
  await write(page, "console-edit");
}

/** @param {import("playwright-core").Page} page @param {string} name */
async function write(page, name) {
  const path = join(images, `${name}.webp`);
  const { size } = await sharp(await page.screenshot())
    .webp({ quality: 82 })
    .toFile(path);
  process.stdout.write(`${path}: ${Math.round(size / 1024)} KiB\n`);
}

async function isReady() {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** @param {string} model */
function embed(model) {
  return fetch(`http://127.0.0.1:${port}/v1/embeddings`, {
    method: "POST",
    headers: { authorization: `Bearer ${callerKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model, input: "a" }),
  });
}

/** Two days of requests, as lines of the ledger. @param {string} spool */
function leaveRows(spool) {
  mkdirSync(spool, { recursive: true });
  const hours = Array.from({ length: 48 }, (_, hour) => Date.now() - (48 - hour) * hourMs);
  const lines = hours.flatMap((startsAt) => {
    // Few at night, most in the early afternoon.
    const daily = 1 + Math.cos(((new Date(startsAt).getUTCHours() - 14) / 24) * 2 * Math.PI);
    return kinds.flatMap(({ share, ...kind }) => {
      const count = Math.round(share * (20 + 45 * daily));
      return Array.from({ length: count }, (_, index) =>
        rowLine({
          ...kind,
          at: startsAt + Math.round((index / count) * hourMs),
          isFailed: index % 120 === 119,
        }),
      );
    });
  });
  writeFileSync(join(spool, "0000000001.rows"), lines.join(""));
}

/** @param {{ model: string, operation: string, tokens?: number, images?: number, ms: number, at: number, isFailed: boolean }} row */
function rowLine({ model, operation, tokens = 0, images = 0, ms, at, isFailed }) {
  return writeLine({
    ...emptyRow,
    id: `req_${randomBytes(16).toString("hex")}`,
    at,
    keyId: "config:search-service",
    keyName: "search-service",
    operation,
    model,
    upstream: "local",
    attempts: 1,
    status: isFailed ? 502 : 200,
    inputTokens: tokens,
    images,
    ms,
    requestBytes: 120,
    responseBytes: 3000,
    errorCode: isFailed ? "upstream_error" : null,
  });
}
