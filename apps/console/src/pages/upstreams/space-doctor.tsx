import { probeTexts, type SpaceVerdict } from "@model-gateway/vector-check/spaces";
import { useEffect } from "react";
import { type EmbeddedAtTarget, useEmbedAtTargets } from "../../operations/createEmbedding.js";
import { useListAdminModels } from "../../operations/listAdminModels.js";
import { distinctTargets, nameTarget } from "../../operations/named-target.js";
import type { Schemas } from "../../operations/schemas.js";
import { Badge, type Tone } from "../../parts/badge.js";
import { SelectField } from "../../parts/fields.js";
import { formatMs } from "../../parts/format.js";
import { Message } from "../../parts/message.js";
import { Panel } from "../../parts/panel.js";
import { Fault, Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { changeQuery, useAddress } from "../../routes/address.js";
import { isOpenedHere } from "../../routes/sheet.js";
import { useSection } from "../../routes/use-section.js";
import { diagnose, type Finding } from "./space-verdict.js";

/** Are a model's targets the same model? Equal widths do not prove it. */
export function SpaceDoctor() {
  const models = useListAdminModels();
  return (
    <Panel title="Vector-space doctor">
      <div className="stack">
        <p className="quiet">
          {`Embeds the same ${probeTexts.length} texts at each target of a model, and compares the vectors. Vectors of two
          spaces do not belong in one index.`}
        </p>
        <Loaded query={models}>
          {({ data }) => {
            const comparable = data.filter(
              ({ space, is_pattern, targets }) =>
                space !== null && !is_pattern && distinctTargets(targets).length > 1,
            );
            return comparable.length === 0 ? (
              <p>No embedding model has two targets to compare.</p>
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
  const address = useAddress();
  const wanted = address.query.get("examine");
  const examine = useEmbedAtTargets();
  const part = useSection<HTMLDivElement>("doctor", `${wanted} ${examine.status}`);
  const chosen = models.find((model) => model.id === wanted) ?? models[0];
  const run = () => {
    if (chosen === undefined) return;
    changeQuery(address, { examine: chosen.id, run: undefined, section: "doctor" });
    const { id: model, targets } = chosen;
    examine.mutate({ model, input: [...probeTexts], targets: distinctTargets(targets) });
  };
  // Calls may cost money, so only a link of the console makes them at once, and no reload makes them again.
  const isDue = address.query.get("run") === "now" && chosen?.id === wanted && isOpenedHere(history.state);
  useEffect(() => {
    if (isDue) run();
  }, [isDue]);
  if (chosen === undefined) return null;
  return (
    <div className="stack section" ref={part}>
      <div className="filters">
        <SelectField
          label="Model to examine"
          room="wide"
          value={chosen.id}
          options={models.map((model) => ({ value: model.id, label: model.id }))}
          onChange={(model) => {
            changeQuery(address, { examine: model, section: undefined });
            examine.reset();
          }}
        />
        <button type="button" className="button primary" disabled={examine.isPending} onClick={run}>
          {examine.isPending ? "Examining…" : "Examine"}
        </button>
      </div>
      {examine.error !== null && <Fault error={examine.error} />}
      {examine.data !== undefined && <Findings found={examine.data} />}
    </div>
  );
}

const tones: Readonly<Record<SpaceVerdict, Tone>> = {
  same: "good",
  close: "warn",
  different: "bad",
  "different width": "bad",
};

type Row = EmbeddedAtTarget & Finding;

function Findings({ found }: { readonly found: readonly EmbeddedAtTarget[] }) {
  const { findings, tone, verdict } = diagnose(
    found.map(({ target, embedded }) => ({ name: nameTarget(target), vectors: embedded?.vectors })),
  );
  const rows = found.flatMap((one, at): Row[] => {
    const finding = findings[at];
    return finding === undefined ? [] : [{ ...one, ...finding }];
  });
  const figure = (read: (comparison: NonNullable<Finding["comparison"]>) => string) => (row: Row) =>
    row.comparison?.cosines.length ? read(row.comparison) : "–";
  return (
    <>
      <p role="status" className={`doctor-verdict tone-${tone}`}>
        {verdict}
      </p>
      <Table
        caption="How the targets compare"
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          { head: "Target", cell: ({ name }) => <span className="mono">{name}</span> },
          { head: "Width", cell: ({ embedded }) => embedded?.vectors[0]?.length ?? "–", kind: "number" },
          {
            head: "Time",
            cell: ({ embedded }) => (embedded === undefined ? "–" : formatMs(embedded.facts.ms)),
            kind: "number",
          },
          { head: "Lowest cosine", cell: figure(({ cosineMin }) => cosineMin.toFixed(4)), kind: "number" },
          {
            head: "Neighbours kept",
            cell: figure(({ neighboursKept }) => `${neighboursKept} of ${probeTexts.length}`),
            kind: "number",
          },
          { head: "Verdict", cell: (row) => <RowVerdict row={row} /> },
        ]}
      />
    </>
  );
}

function RowVerdict({ row: { comparison, isReference, error } }: { readonly row: Row }) {
  if (error !== undefined)
    return (
      <>
        <Badge tone="bad">no reply</Badge>
        <p className="small quiet">
          <Message text={error.message} />
        </p>
      </>
    );
  if (comparison !== undefined) return <Badge tone={tones[comparison.verdict]}>{comparison.verdict}</Badge>;
  return isReference ? <span className="quiet">the others are compared with this one</span> : null;
}
