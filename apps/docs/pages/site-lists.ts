import type { SitePage } from "../frame/page-frame.js";
import { twinOf } from "../markdown/twin-links.js";
import { addressOfFile, redocAddress } from "../menu.js";
import type { Page } from "../read-pages.js";
import { redocPlace } from "../reference/operation-page.js";
import type { Operation, SpecDocument } from "../reference/spec-document.js";

/** The pages as a list for programs that read text, each as Markdown. https://llmstxt.org */
export function drawLlmsText(pages: readonly SitePage[], { info }: SpecDocument): string {
  const lines = pages
    .filter(({ address }) => !address.startsWith("decisions/"))
    .map(({ title, address, description }) => `- [${title}](${twinOf(address)}): ${description}`);
  return `# ${info.title}\n\n> ${info.summary}\n\n- [OpenAPI document](openapi.json)\n${lines.join("\n")}\n`;
}

/** Redirects for the `#/` addresses of the former one-page site. */
export function oldAddresses({
  guides,
  upstreams,
  decisions,
  operations,
}: Readonly<Record<"guides" | "upstreams" | "decisions", readonly Page[]>> & {
  readonly operations: readonly Operation[];
}): Record<string, string> {
  const texts = Object.entries({ guides, upstreams, decisions }).flatMap(([folder, pages]) =>
    pages.map(({ slug }) => [slug, addressOfFile(`${folder}/${slug}.md`)]),
  );
  const places = operations.map((operation) => [
    redocPlace(operation).slice(1),
    `${redocAddress}#${redocPlace(operation)}`,
  ]);
  return Object.fromEntries([["benchmarks", "benchmarks/"], ...texts, ...places]);
}
