import type { ShownModel } from "../../operations/listModels.js";
import type { Schemas } from "../../operations/schemas.js";
import type { Fact } from "../../parts/facts.js";

interface Page {
  readonly url: string;
  readonly read_on: string;
  readonly facts: readonly string[];
}

/** Where the gateway knows from what a model can do. Empty: its catalogue says nothing of it. */
export function knownFrom({ facts, targets = [] }: Pick<ShownModel, "facts" | "targets">): readonly Fact[] {
  const known = targets.flatMap((target) => target.facts ?? []);
  const state = known.find((one) => one.state === "assumed")?.state ?? known[0]?.state ?? facts?.state;
  if (state === undefined) return [];
  const pages = known.length > 0 ? known.flatMap((one) => one.pages) : pageOf(facts);
  return [
    [
      "Source of the facts",
      <>
        {state === "assumed" && <span className="tone-warn">assumed, as an earlier generation. </span>}
        {pages.length === 0 && "The catalogue, without a page."}
        {[...new Map(pages.map((page) => [page.url, page])).values()].map((page, index) => (
          <span key={page.url}>
            {index > 0 && "; "}
            <a href={page.url} rel="noreferrer">
              {new URL(page.url).hostname}
            </a>
            {`, read ${page.read_on}`}
            {page.facts.length > 0 && ` (${page.facts.join(", ")})`}
          </span>
        ))}
      </>,
    ],
  ];
}

function pageOf(facts: Schemas["Model"]["facts"] | undefined): readonly Page[] {
  const { source = null, read_on = null } = facts ?? {};
  return source === null || read_on === null ? [] : [{ url: source, read_on, facts: [] }];
}
