import type { Schemas } from "../operations/schemas.js";
import { Badge, type Tone } from "../parts/badge.js";
import { When } from "../parts/when.js";
import { linkTo } from "../routes/address.js";
import { judgeComparison } from "./space-verdict.js";

type Comparison = Schemas["SpaceComparison"];

const words: Readonly<Record<Comparison["verdict"], readonly [Tone, string]>> = {
  same: ["good", "same vectors"],
  close: ["good", "same vectors, rounded"],
  different: ["bad", "different vectors"],
  incomplete: ["warn", "not all compared"],
};

/** The verdict in two words. One that no longer fits the targets is not shown as true. */
export function ComparisonBadge({ comparison }: { readonly comparison: Comparison }) {
  if (comparison.outdated) return <Badge tone="quiet">out of date</Badge>;
  const [tone, word] = words[comparison.verdict] ?? ["quiet", comparison.verdict];
  return <Badge tone={tone}>{word}</Badge>;
}

/** The last comparison of a model's targets, for its card. */
export function LastComparison({ comparison }: { readonly comparison: Comparison }) {
  const { model, compared_at, outdated, verdict } = comparison;
  return (
    <div className="last-comparison small">
      <p>
        <ComparisonBadge comparison={comparison} />{" "}
        <span className="quiet">
          {outdated ? "Its targets have changed since they were compared, " : "Its targets were compared "}
          <When at={compared_at} />.
        </span>{" "}
        <a href={comparisonLink(model)}>
          View<span className="visually-hidden"> the comparison of {model}</span>
        </a>
      </p>
      {verdict === "different" && !outdated && <p>{judgeComparison(comparison).verdict}</p>}
    </div>
  );
}

/** The doctor's panel, with the last comparison of the model. Nothing is called. */
export function comparisonLink(model: string): string {
  return linkTo("/upstreams", { examine: model, section: "doctor" });
}
