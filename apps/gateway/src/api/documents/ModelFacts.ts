import type { Model, Target } from "@model-gateway/domain/model";
import type { FactsPage } from "@model-gateway/domain/model-facts";
import type { Schemas } from "@model-gateway/domain/operations";

/** Of several targets, those of which nothing is known count first, and then those whose facts are assumed. */
export function describeFacts(model: Model): Schemas["Model"]["facts"] {
  const targets: readonly Target[] = model.targets;
  const origins = targets.flatMap(({ factsFrom }) => factsFrom ?? []);
  const origin = origins.find(({ state }) => state === "assumed") ?? origins[0];
  if (origin === undefined || origins.length < targets.length) return null;
  const page = lastRead(origin.pages);
  return { state: origin.state, source: page?.url ?? null, read_on: page?.readOn ?? null };
}

const ofTraits: readonly FactsPage["facts"][number][] = ["traits", "widths", "limits"];

/** The page about what a model can do, or else about anything of it. */
function lastRead(pages: readonly FactsPage[]): FactsPage | undefined {
  const best = pages.filter(({ facts }) => facts.some((fact) => ofTraits.includes(fact)));
  const [first, ...others] = best.length > 0 ? best : pages;
  return others.reduce(
    (last, page) => (last !== undefined && page.readOn > last.readOn ? page : last),
    first,
  );
}

export function describeTargetFacts({ factsFrom }: Target): Schemas["AdminTarget"]["facts"] {
  if (factsFrom === undefined) return null;
  const { state, entry, pages } = factsFrom;
  return {
    state,
    entry,
    pages: pages.map(({ url, readOn, facts }) => ({ url, read_on: readOn, facts: [...facts] })),
  };
}
