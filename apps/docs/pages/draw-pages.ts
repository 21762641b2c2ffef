import type { SitePage } from "../frame/page-frame.js";
import { openHighlight } from "../markdown/highlight.js";
import { openMarkdown } from "../markdown/render-markdown.js";
import type { MenuGroup } from "../menu.js";
import type { Page } from "../read-pages.js";
import { drawOperationPage } from "../reference/operation-page.js";
import { drawReferencePage } from "../reference/reference-page.js";
import { type Operation, References, type SpecDocument } from "../reference/spec-document.js";
import { drawBenchmarkPage } from "./benchmark-page.js";
import { drawChangelogPage } from "./changelog-page.js";
import { countProviders, drawComparisonPage } from "./comparison-page.js";
import { drawErrorPages, type ErrorEntry, withErrorList } from "./error-pages.js";
import { drawHomePage } from "./home-page.js";
import { drawDecisionPage, drawTextPage } from "./text-pages.js";

export interface SiteSources {
  readonly guides: readonly Page[];
  readonly upstreams: readonly Page[];
  readonly examples: readonly Page[];
  readonly decisions: readonly Page[];
  readonly decisionIndex: Page;
  readonly benchmarks: Page;
  readonly changelog: Page;
  readonly document: SpecDocument;
  readonly operations: readonly Operation[];
  readonly errors: readonly ErrorEntry[];
  readonly menu: readonly MenuGroup[];
}

/** Draws every page of the site. */
export async function drawPages(sources: SiteSources): Promise<SitePage[]> {
  const { document, operations, errors } = sources;
  const highlight = await openHighlight();
  const render = openMarkdown(highlight);
  const drawText = (markdown: string) => render(markdown, (link) => link).body;
  const references = new References(document);
  const errorDrawing = { entries: errors, operations, references, highlight, drawText };
  const errorCodes = Object.fromEntries(errors.map((entry) => [entry.code, entry]));
  const texts = (folder: "guides" | "upstreams" | "examples") =>
    sources[folder].map((page) => drawTextPage(page, `${folder}/${page.slug}.md`, render));
  const guides = texts("guides").map((page) =>
    page.address === "errors/" ? withErrorList(page, errorDrawing) : page,
  );
  const inner = [
    ...guides,
    ...texts("upstreams"),
    ...texts("examples"),
    drawReferencePage(document, operations, drawText),
    ...operations.map((operation) =>
      drawOperationPage(operation, { references, highlight, drawText, errorCodes }),
    ),
    ...drawErrorPages(errorDrawing),
    drawTextPage(sources.decisionIndex, "decisions/README.md", render),
    ...sources.decisions.map((page) => drawDecisionPage(page, render)),
    drawBenchmarkPage(sources.benchmarks, render),
    drawChangelogPage(sources.changelog, render),
    drawComparisonPage(
      countProviders(sources.upstreams.find(({ slug }) => slug === "providers")?.markdown ?? ""),
    ),
  ];
  const home = drawHomePage({
    menu: sources.menu,
    highlight,
    operationCount: operations.filter(({ isWebhook }) => !isWebhook).length,
    codeCount: errors.length,
    descriptions: new Map(inner.map(({ address, description }) => [address, description])),
  });
  return [home, ...inner];
}
