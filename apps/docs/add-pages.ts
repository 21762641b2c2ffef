import type { Page } from "./read-pages.js";
import { siteMarkdown } from "./site-markdown.js";

interface Tag {
  readonly name: string;
  readonly description?: string;
}

/** The only part of an OpenAPI document that this file reads; the rest is copied. */
export interface OpenApiDocument {
  readonly tags: readonly Tag[];
}

/**
 * Returns a copy of the document for the site only. Redoc shows a tag marked `x-traitTag` as a page of text. Each guide
 * and each decision becomes such a tag, so one sidebar and one search cover the guides and the reference.
 */
export function addPages(
  document: OpenApiDocument,
  { guides, decisions }: { guides: readonly Page[]; decisions: readonly Page[] },
): OpenApiDocument & Record<"x-tagGroups", unknown> {
  return {
    ...document,
    tags: [...guides.map(toTag), ...document.tags, ...decisions.map(toTag)],
    "x-tagGroups": [
      { name: "Guides", tags: guides.map(({ slug }) => slug) },
      { name: "Reference", tags: document.tags.map(({ name }) => name) },
      { name: "Decisions", tags: decisions.map(({ slug }) => slug) },
    ],
  };
}

function toTag(page: Page): Tag & Record<`x-${string}`, unknown> {
  return {
    name: page.slug,
    "x-displayName": page.title,
    "x-traitTag": true,
    description: siteMarkdown(page),
  };
}
