import type { Page } from "./read-pages.js";
import type { Operation, SpecDocument } from "./reference/spec-document.js";

/** A link of the menu. Addresses are relative to the site: "" is home. */
export interface MenuLink {
  readonly title: string;
  readonly address: string;
  /** The HTTP method, for an operation. */
  readonly method?: string;
  /** Opens a separate tab, which cannot read this tab's key. */
  readonly apart?: boolean;
}

/** Links that are folded until one of them is open. */
export interface MenuFold {
  readonly title: string;
  readonly links: readonly MenuLink[];
}

export interface MenuGroup {
  readonly title: string;
  readonly entries: readonly (MenuLink | MenuFold)[];
}

export interface SitePages {
  readonly guides: readonly Page[];
  readonly upstreams: readonly Page[];
  readonly examples: readonly Page[];
  readonly operations: readonly Operation[];
  readonly document: SpecDocument;
}

export const redocAddress = "reference/redoc/";

/** The guides in reading order. An unlisted one goes to the end of "Run". */
const startGuides = ["quick-start", "clients", "recipes", "the-console", "faq"];
const buildGuides = [
  "embeddings-through-the-gateway",
  "images-and-texts",
  "images-through-the-gateway",
  "moving-an-index",
  "batches",
  "image-jobs",
  "content-credentials",
  "model-catalog",
  "errors",
];
const runGuides = [
  "configuration",
  "images-and-files",
  "deploy",
  "capacity",
  "upgrading",
  "security",
  "keyless",
  "command-line",
  "limits-and-budgets",
  "prices",
  "scheduling",
  "administration",
  "webhook-events",
  "monitoring",
  "troubleshooting",
  "moving-from-litellm",
  "moving-from-bifrost",
];

/** The menu, in reading order. */
export function menuOf({ guides, upstreams, examples, operations, document }: SitePages): MenuGroup[] {
  const named = new Set([...startGuides, ...buildGuides, ...runGuides]);
  const unnamed = guides.filter(({ slug }) => !named.has(slug)).map(({ slug }) => slug);
  const linksTo = (slugs: readonly string[]) =>
    slugs.flatMap((slug) => guides.filter((guide) => guide.slug === slug).map(guideLink));
  return [
    { title: "Start", entries: [{ title: "Overview", address: "" }, ...linksTo(startGuides)] },
    {
      title: "Build",
      entries: [
        ...linksTo(buildGuides),
        ...(examples.length === 0 ? [] : [{ title: "Examples", links: examples.map(exampleLink) }]),
      ],
    },
    {
      title: "API reference",
      entries: [
        { title: "Reference on one page", address: redocAddress, apart: true },
        { title: "All operations", address: "reference/" },
        ...tagFolds(document, operations),
      ],
    },
    {
      title: "Run",
      entries: [
        ...linksTo([...runGuides, ...unnamed]),
        { title: "Providers", links: byProvider(upstreams).map(upstreamLink) },
      ],
    },
    {
      title: "Background",
      entries: [
        { title: "Comparison", address: "comparison/" },
        { title: "Benchmarks", address: "benchmarks/" },
        { title: "Design decisions", address: "decisions/" },
        { title: "Changelog", address: "changelog/" },
      ],
    },
  ];
}

/** The site address of a Markdown page, by its file relative to this folder. */
export function addressOfFile(file: string): string {
  if (file === "guides/errors.md") return "errors/";
  return `${file.replace(/(\/README)?\.md$/, "")}/`;
}

export function isFold(entry: MenuLink | MenuFold): entry is MenuFold {
  return "links" in entry;
}

/** Every link of the menu, folded or not. */
export function linksOf(menu: readonly MenuGroup[]): MenuLink[] {
  return menu.flatMap(({ entries }) => entries.flatMap((entry) => (isFold(entry) ? entry.links : [entry])));
}

function tagFolds(document: SpecDocument, operations: readonly Operation[]): MenuFold[] {
  return document.tags
    .map((tag) => ({
      title: tag["x-displayName"] ?? tag.name,
      links: operations
        .filter(({ tags }) => tags[0] === tag.name)
        .map(({ operationId, summary, method, isWebhook }) => ({
          title: summary,
          address: `reference/${operationId}/`,
          method: isWebhook ? "event" : method,
        })),
    }))
    .filter(({ links }) => links.length > 0);
}

/** The overview and the facts first, how to add one last, the rest by title. */
function byProvider(pages: readonly Page[]): Page[] {
  const rank = ({ slug }: Page) =>
    slug === "providers" ? 0 : slug === "facts" ? 1 : slug === "add-a-provider" ? 3 : 2;
  return [...pages].sort((a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title));
}

function guideLink({ slug, title }: Page): MenuLink {
  return { title: shortTitles[slug] ?? title, address: addressOfFile(`guides/${slug}.md`) };
}

function upstreamLink({ slug, title }: Page): MenuLink {
  return { title: shortTitles[slug] ?? title, address: addressOfFile(`upstreams/${slug}.md`) };
}

function exampleLink({ slug, title }: Page): MenuLink {
  return { title, address: addressOfFile(`examples/${slug}.md`) };
}

const shortTitles: Readonly<Record<string, string>> = {
  "embeddings-through-the-gateway": "Embeddings",
  "images-through-the-gateway": "Images",
  "image-jobs": "Image jobs",
  "model-catalog": "Model catalog",
  "moving-an-index": "Moving an index",
  recipes: "Recipes",
  providers: "All providers",
  facts: "Facts about models",
  local: "Local models",
  "openai-compatible": "OpenAI-compatible servers",
};
