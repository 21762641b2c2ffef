/** Builds the site into `dist/`, or into the folder given as an argument: static files that need no network. */
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { errorHelp, errorRemedies } from "@model-gateway/spec/error-help";
import { errorTable } from "@model-gateway/spec/errors";
import { precompress } from "@model-gateway/web/precompress";
import { bundleAssets, writeAsset } from "./frame/bundle-assets.js";
import { drawLostPage, drawPage, type SitePage } from "./frame/page-frame.js";
import { twinOf } from "./markdown/twin-links.js";
import { linksOf, menuOf, redocAddress } from "./menu.js";
import { checkProofs, comparisonRows } from "./pages/comparison-proofs.js";
import { drawPages } from "./pages/draw-pages.js";
import { lostPage } from "./pages/lost-page.js";
import { drawTwin } from "./pages/markdown-twin.js";
import { drawLlmsText, oldAddresses } from "./pages/site-lists.js";
import { readPage, readPages } from "./read-pages.js";
import { drawRedocPage, linkOperationPages, renderRedoc } from "./reference/redoc-page.js";
import { operationsOf, type SpecDocument } from "./reference/spec-document.js";
import { buildSearchIndex } from "./search/build-index.js";

const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const spec = require.resolve("@model-gateway/spec/openapi.json");
const collection = require.resolve("@model-gateway/spec/postman_collection.json");
const out = path.resolve(process.argv[2] ?? path.join(here, "dist"));

const document: SpecDocument = JSON.parse(await readFile(spec, "utf8"));
const [guides, upstreams, examples, decisions, decisionIndex, benchmarks, changelog] = await Promise.all([
  readPages(path.join(here, "guides")),
  readPages(path.join(here, "upstreams")),
  readPages(path.join(here, "examples")),
  readPages(path.join(here, "decisions")),
  readPage(path.join(here, "decisions/README.md")),
  readPage(path.join(here, "benchmarks.md")),
  readPage(path.join(here, "../../CHANGELOG.md")),
]);
checkProofs(comparisonRows, { apps: path.join(here, ".."), apiPaths: Object.keys(document.paths) });
const operations = operationsOf(document);
const menu = menuOf({ guides, upstreams, examples, operations, document });
const errors = Object.entries(errorTable).map(([code, { status, type, callerRetry }]) => ({
  code,
  status,
  type,
  callerRetry,
  ...errorHelp[code as keyof typeof errorHelp],
  remedy: errorRemedies[code as keyof typeof errorRemedies],
}));

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const redoc = renderRedoc(linkOperationPages(document));
const [assets, pages] = await Promise.all([
  bundleAssets(out),
  drawPages({
    guides,
    upstreams,
    examples,
    decisions,
    decisionIndex,
    benchmarks,
    changelog,
    document,
    operations,
    errors,
    menu,
  }),
]);
const frame = { menu, links: linksOf(menu), assets, version: document.info.version };
await Promise.all(pages.map((page) => writePage(page)));
await writeText("404.html", drawLostPage(lostPage, frame));
const { index, texts } = buildSearchIndex(pages);
await writeText("search.json", index);
await writeText("search-texts.json", texts);
await writeText("llms.txt", drawLlmsText(pages, document));
await writeText(
  "old-addresses.json",
  JSON.stringify(oldAddresses({ guides, upstreams, decisions, operations })),
);
await cp(spec, path.join(out, "openapi.json"));
await cp(collection, path.join(out, "postman_collection.json"));
await cp(require.resolve("@model-gateway/web/icon.svg"), path.join(out, "icon.svg"));
await cp(path.join(here, "guides/images"), path.join(out, "images"), { recursive: true });
const script = await writeAsset(out, "redoc.js", await redoc);
await writeText(`${redocAddress}index.html`, drawRedocPage({ script, css: assets.redocCss }));
await precompress(out);

async function writePage(page: SitePage): Promise<void> {
  await writeText(`${page.address}index.html`, drawPage(page, frame));
  await writeText(twinOf(page.address), drawTwin(page));
}

async function writeText(name: string, text: string): Promise<void> {
  const file = path.join(out, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
