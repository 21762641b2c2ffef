import { useEffect } from "react";
import { useCompareTargets } from "../../operations/compareTargets.js";
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
import { When } from "../../parts/when.js";
import { changeQuery, useAddress } from "../../routes/address.js";
import { isOpenedHere } from "../../routes/sheet.js";
import { useSection } from "../../routes/use-section.js";
import { May } from "../../session/session-context.js";
import { comparedImages, comparedTexts, judgeComparison } from "../space-verdict.js";

/** Are a model's targets the same model? Equal widths do not prove it. */
export function SpaceDoctor() {
  const models = useListAdminModels();
  return (
    <Panel title="Vector-space doctor">
      <div className="stack">
        <p className="quiet">
          {`Embeds the same ${comparedTexts} texts at each target of a model, and ${comparedImages} images where it takes them, and
          compares the vectors. Vectors of two spaces do not belong in one index.`}
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
  const examine = useCompareTargets();
  const part = useSection<HTMLDivElement>("doctor", `${wanted} ${examine.status}`);
  const chosen = models.find((model) => model.id === wanted) ?? models[0];
  const run = () => {
    if (chosen === undefined) return;
    changeQuery(address, { examine: chosen.id, run: undefined, section: "doctor" });
    examine.mutate({ model: chosen.id });
  };
  // Calls may cost money, so only a link of the console makes them at once, and no reload makes them again.
  const isDue = address.query.get("run") === "now" && chosen?.id === wanted && isOpenedHere(history.state);
  useEffect(() => {
    if (isDue) run();
  }, [isDue]);
  if (chosen === undefined) return null;
  const { comparison } = chosen;
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
        <May call="compareTargets">
          <button type="button" className="button primary" disabled={examine.isPending} onClick={run}>
            {examine.isPending ? "Examining…" : comparison === null ? "Examine" : "Examine again"}
          </button>
        </May>
      </div>
      {examine.error !== null && <Fault error={examine.error} />}
      {comparison !== null && !examine.isPending && <Findings comparison={comparison} />}
    </div>
  );
}

type ComparedTarget = Schemas["ComparedTarget"];

const verdicts: Readonly<Record<Exclude<ComparedTarget["verdict"], "reference">, readonly [Tone, string]>> = {
  same: ["good", "same"],
  close: ["warn", "close"],
  different: ["bad", "different"],
  different_width: ["bad", "different width"],
  no_reply: ["bad", "no reply"],
};

/** The last comparison. The gateway keeps it, so it may be older than the targets. */
function Findings({ comparison }: { readonly comparison: Schemas["SpaceComparison"] }) {
  const { targets, texts, images, compared_at, outdated } = comparison;
  const { tone, verdict } = judgeComparison(comparison);
  return (
    <>
      <p role="status" className={`doctor-verdict tone-${outdated ? "quiet" : tone}`}>
        {outdated
          ? `Out of date: the targets of ${comparison.model}, or their space, have changed since. Examine them again.`
          : verdict}
      </p>
      <p className="small quiet">
        Compared <When at={compared_at} />
        {outdated && ", before the change"}. The last comparison of each model is kept.
      </p>
      <Table
        caption={outdated ? "How the targets compared before the change" : "How the targets compare"}
        rows={targets}
        rowKey={nameTarget}
        columns={[
          { head: "Target", cell: (target) => <span className="mono">{nameTarget(target)}</span> },
          { head: "Width", cell: ({ dimensions }) => dimensions ?? "–", kind: "number" },
          {
            head: "Time",
            cell: ({ verdict, ms }) => (verdict === "no_reply" ? "–" : formatMs(ms)),
            kind: "number",
          },
          { head: "Lowest cosine", cell: ({ cosine_min }) => cosine_min?.toFixed(4) ?? "–", kind: "number" },
          {
            head: "Neighbours kept",
            cell: ({ neighbours_kept }) =>
              neighbours_kept === null ? "–" : `${neighbours_kept} of ${texts}`,
            kind: "number",
          },
          ...(images > 0
            ? [
                {
                  head: "Lowest of images",
                  cell: ({ image_cosine_min }: ComparedTarget) => image_cosine_min?.toFixed(4) ?? "–",
                  kind: "number" as const,
                },
              ]
            : []),
          { head: "Verdict", cell: (target) => <TargetVerdict target={target} isOutdated={outdated} /> },
        ]}
      />
    </>
  );
}

interface TargetVerdictProps {
  readonly target: ComparedTarget;
  readonly isOutdated: boolean;
}

function TargetVerdict({ target: { verdict, differs_in, error }, isOutdated }: TargetVerdictProps) {
  if (verdict === "reference") return <span className="quiet">the others are compared with this one</span>;
  const [tone, word] = verdicts[verdict] ?? ["quiet", verdict];
  return (
    <>
      <Badge tone={isOutdated ? "quiet" : tone}>
        {differs_in.includes("images") ? `${word} in ${differs_in.join(" and ")}` : word}
      </Badge>
      {error !== null && (
        <p className="small quiet">
          <Message text={error.message} />
        </p>
      )}
    </>
  );
}
