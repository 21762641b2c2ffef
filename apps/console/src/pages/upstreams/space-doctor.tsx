import { compareSpaces, probeTexts, type SpaceVerdict } from "@model-gateway/vector-check/spaces";
import { useState } from "react";
import { type Embedded, useEmbedAtTargets } from "../../operations/createEmbedding.js";
import { useListAdminModels } from "../../operations/listAdminModels.js";
import type { Schemas } from "../../operations/schemas.js";
import { Badge, type Tone } from "../../parts/badge.js";
import { SelectField } from "../../parts/fields.js";
import { formatMs } from "../../parts/format.js";
import { Panel } from "../../parts/panel.js";
import { Fault, Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";

/** Are a model's targets the same model? Equal widths do not prove it. */
export function SpaceDoctor() {
  const models = useListAdminModels();
  return (
    <Panel title="Vector-space doctor">
      <div className="stack">
        <p className="quiet">
          {`Embeds the same ${probeTexts.length} texts at each upstream of a model, and compares the vectors. Vectors of two
          spaces do not belong in one index.`}
        </p>
        <Loaded query={models}>
          {({ data }) => {
            const comparable = data.filter(
              ({ space, targets }) => space !== null && namesOf(targets).length > 1,
            );
            return comparable.length === 0 ? (
              <p>No embedding model has two upstreams to compare.</p>
            ) : (
              <Examination models={comparable} />
            );
          }}
        </Loaded>
      </div>
    </Panel>
  );
}

function Examination({ models }: { readonly models: readonly Schemas["AdminModel"][] }) {
  const [id, setId] = useState<string>();
  const examine = useEmbedAtTargets();
  const chosen = models.find((model) => model.id === id) ?? models[0];
  if (chosen === undefined) return null;
  return (
    <>
      <div className="filters">
        <SelectField
          label="Model to examine"
          room="wide"
          value={chosen.id}
          options={models.map((model) => ({ value: model.id, label: model.id }))}
          onChange={(model) => {
            setId(model);
            examine.reset();
          }}
        />
        <button
          type="button"
          className="button primary"
          disabled={examine.isPending}
          onClick={() =>
            examine.mutate({ model: chosen.id, input: [...probeTexts], upstreams: namesOf(chosen.targets) })
          }
        >
          {examine.isPending ? "Examining…" : "Examine"}
        </button>
      </div>
      {examine.error !== null && <Fault error={examine.error} />}
      {examine.data !== undefined && (
        <div role="status">
          <Findings found={examine.data} />
        </div>
      )}
    </>
  );
}

const tones: Readonly<Record<SpaceVerdict, Tone>> = {
  same: "good",
  close: "warn",
  different: "bad",
  "different width": "bad",
};

function Findings({ found }: { readonly found: ReadonlyMap<string, Embedded> }) {
  const [reference] = found.values();
  const rows = [...found].map(([upstream, embedded]) => ({
    upstream,
    embedded,
    comparison:
      reference === undefined || embedded === reference
        ? undefined
        : compareSpaces(reference.vectors, embedded.vectors),
  }));
  return (
    <Table
      caption="How the upstreams compare with the first"
      rows={rows}
      rowKey={({ upstream }) => upstream}
      columns={[
        { head: "Upstream", cell: ({ upstream }) => upstream },
        { head: "Width", cell: ({ embedded }) => embedded.vectors[0]?.length ?? 0, kind: "number" },
        { head: "Time", cell: ({ embedded }) => formatMs(embedded.facts.ms), kind: "number" },
        {
          head: "Lowest cosine",
          cell: ({ comparison }) => (comparison?.cosines.length ? comparison.cosineMin.toFixed(4) : "–"),
          kind: "number",
        },
        {
          head: "Neighbours kept",
          cell: ({ comparison }) =>
            comparison?.cosines.length ? `${comparison.neighboursKept} of ${probeTexts.length}` : "–",
          kind: "number",
        },
        {
          head: "Verdict",
          cell: ({ comparison }) =>
            comparison === undefined ? (
              <span className="quiet">the others are compared with this one</span>
            ) : (
              <Badge tone={tones[comparison.verdict]}>{comparison.verdict}</Badge>
            ),
        },
      ]}
    />
  );
}

/** A request can be sent to an upstream, not to one of two targets there. */
function namesOf(targets: readonly { readonly upstream: string }[]): string[] {
  return [...new Set(targets.map(({ upstream }) => upstream))];
}
