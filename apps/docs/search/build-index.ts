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

/** The index that a browser loads on the first search: one entry for each section of each page. */
export function buildSearchIndex(pages: readonly SitePage[]): string {
  const sections = pages.flatMap(sectionsOf).map((section, id) => ({ ...section, id }));
  const index = new MiniSearch<Section>(indexOptions);
  index.addAll(sections);
  return packIndex(index.toJSON());
}

function sectionsOf(page: SitePage): Omit<Section, "id">[] {
  const name = /^(?:reference|errors)\/(\w+)\/$/.exec(page.address)?.[1] ?? "";
  const kept = page.body.text
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
    return [{ ...lead, text: `${page.description} ${plain(kept).slice(0, isDecision ? 700 : 1500)}` }];
  return [
    lead,
    ...rest.map((part) => {
      const [, id = "", heading = ""] = /^<h[23][^>]* id="([^"]+)"[^>]*>([\s\S]*?)<\/h[23]>/.exec(part) ?? [];
      return {
        title: page.title,
        heading: plain(heading),
        name: "",
        text: plain(part),
        address: `${page.address}#${id}`,
      };
    }),
  ];
}

function plain(html: string): string {
  return html
    .replace(/<[^>]+>/g, " ")
    .replace(/&(lt|gt|quot|#39|amp);/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
