import MiniSearch from "minisearch";
import type { SitePage } from "../frame/page-frame.js";
import { indexOptions } from "./find-sections.js";
import { packIndex } from "./pack-index.js";

interface Section {
  readonly id: number;
  readonly title: string;
  readonly heading: string;
  /** The exact id of an operation or a code. */
  readonly name: string;
  readonly text: string;
  readonly address: string;
}

export interface SearchFiles {
  /** Loaded by the first search: one entry for each section of each page. */
  readonly index: string;
  /** The text of each section, for excerpts. It is loaded after the index. */
  readonly texts: string;
}

export function buildSearchIndex(pages: readonly SitePage[]): SearchFiles {
  const sections = pages.flatMap(sectionsOf).map((section, id) => ({ ...section, id }));
  const index = new MiniSearch<Section>(indexOptions);
  index.addAll(sections);
  return { index: packIndex(index.toJSON()), texts: JSON.stringify(sections.map(({ text }) => text)) };
}

/** Nobody searches for a figure of the benchmark, and it has a thousand. */
const measured = /<td[^>]*>[\d.,–\s]*<\/td>/g;

function sectionsOf(page: SitePage): Omit<Section, "id">[] {
  const name = /^(?:reference|errors)\/(\w+)\/$/.exec(page.address)?.[1] ?? "";
  const body = page.address === "benchmarks/" ? page.body.text.replace(measured, "") : page.body.text;
  const kept = body
    .replace(/<(details class="try|svg|nav)[\s\S]*?<\/\1>/g, "")
    .replace(/<details class="try"[\s\S]*?<\/form>/g, "");
  const [first = "", ...rest] = kept.split(/(?=<h[23][^>]* id=")/);
  const lead = {
    title: page.title,
    heading: "",
    name,
    text: `${page.description} ${plain(first)}`,
    address: page.address,
  };
  // An operation page is one section. A decision is read as a whole, and found by its title and context.
  const isDecision = page.address.startsWith("decisions/");
  if (name !== "" || isDecision)
    return [{ ...lead, text: `${page.description} ${plain(kept).slice(0, isDecision ? 400 : 1500)}` }];
  return [
    lead,
    ...(page.places ?? []).map(({ anchor, ...place }) => ({
      ...place,
      title: page.title,
      address: `${page.address}#${anchor}`,
    })),
    ...rest.map((part) => {
      const [, id = "", heading = ""] = /^<h[23][^>]* id="([^"]+)"[^>]*>([\s\S]*?)<\/h[23]>/.exec(part) ?? [];
      return {
        title: page.title,
        heading: plain(heading),
        name: "",
        text: plain(part.slice(part.indexOf("</h") + "</h2>".length)),
        address: `${page.address}#${id}`,
      };
    }),
  ];
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };

function plain(html: string): string {
  return html
    .replace(/<\/t[dh]>\s*(?=<t[dh])/g, " · ")
    .replace(/<\/?(?:a|b|code|em|i|kbd|span|strong|wbr)\b[^>]*>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? " ")
    .replace(/\s+/g, " ")
    .trim();
}
