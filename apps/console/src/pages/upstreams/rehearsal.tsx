import { useListAdminModels } from "../../operations/listAdminModels.js";
import { nameTarget } from "../../operations/named-target.js";
import { useRetrieveConfiguration } from "../../operations/retrieveConfiguration.js";
import { useRetrieveUsage } from "../../operations/retrieveUsage.js";
import type { Schemas } from "../../operations/schemas.js";
import { Badge, type Tone } from "../../parts/badge.js";
import { formatShare } from "../../parts/format.js";
import { Panel } from "../../parts/panel.js";
import { Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { changeQuery, linkTo, useAddress } from "../../routes/address.js";
import { useSection } from "../../routes/use-section.js";
import { describePrice } from "../models/describe-model.js";
import { startOf } from "../time-span.js";
import { type Rehearsed, rehearse, shareOfTraffic } from "./rehearse.js";
import { describeTakeover, type Remedy } from "./remedy.js";

/** Shows the effect on each model if an upstream were down. Sends nothing. */
export function Rehearsal({ upstreams }: { readonly upstreams: readonly string[] }) {
  const models = useListAdminModels();
  const day = useRetrieveUsage({ group_by: ["model"], from: startOf("24h", Date.now()) });
  const address = useAddress();
  const down = new Set(address.query.getAll("down").filter((name) => upstreams.includes(name)));
  const toggle = (name: string) => {
    const changed = new Set(down);
    if (!changed.delete(name)) changed.add(name);
    changeQuery(address, { down: [...changed], section: undefined });
  };
  const part = useSection<HTMLDivElement>("rehearsal", `${[...down]} ${models.isSuccess}`);
  return (
    <Panel title="Failover rehearsal">
      <div className="stack section" ref={part}>
        <p className="quiet">
          Tick an upstream to see which models would still work without it, and on which targets. Nothing is
          sent.
        </p>
        <fieldset className="row bare" aria-label="Upstreams that are down">
          {upstreams.map((name) => (
            <label key={name} className="check">
              <input type="checkbox" checked={down.has(name)} onChange={() => toggle(name)} />
              {name} is down
            </label>
          ))}
        </fieldset>
        {down.size > 0 && (
          <Loaded query={models}>
            {({ data }) => {
              const outcomes = rehearse(data, down);
              return (
                <>
                  {day.data !== undefined && <p>{describeShare(outcomes, day.data.data)}</p>}
                  <Outcomes outcomes={outcomes} />
                </>
              );
            }}
          </Loaded>
        )}
      </div>
    </Panel>
  );
}

const words: Readonly<Record<Rehearsed["outcome"], readonly [Tone, string]>> = {
  unchanged: ["good", "as now"],
  moves: ["warn", "moves"],
  fallback: ["warn", "falls back"],
  lost: ["bad", "lost"],
  down: ["bad", "already down"],
};

function describeShare(outcomes: readonly Rehearsed[], groups: readonly Schemas["UsageGroup"][]): string {
  const requests = new Map(groups.map(({ model, requests }) => [model ?? "", requests]));
  const { moves, lost } = shareOfTraffic(outcomes, requests);
  if (requests.size === 0) return "There was no traffic in the last 24 hours.";
  return `Of the last 24 hours' requests, ${formatShare(moves)} would move and ${formatShare(lost)} would be lost.`;
}

function namesOf(targets: Rehearsed["served"]): string {
  return targets.map(nameTarget).join(", ") || "–";
}

function Outcomes({ outcomes }: { readonly outcomes: readonly Rehearsed[] }) {
  const configuration = useRetrieveConfiguration();
  return (
    <Table
      caption="Outcome for each model"
      rows={outcomes}
      rowKey={({ id }) => id}
      columns={[
        {
          head: "Model",
          cell: ({ id }) => (
            <a className="mono" href={linkTo("/models", { model: id })}>
              {id}
            </a>
          ),
          value: ({ id }) => id,
        },
        {
          head: "Outcome",
          cell: (row) => (
            <>
              <Badge tone={words[row.outcome][0]}>{words[row.outcome][1]}</Badge>
              {row.remedy !== undefined && (
                <RemedyOf
                  row={row}
                  remedy={row.remedy}
                  isInFile={configuration.data?.models[row.id] !== undefined}
                />
              )}
            </>
          ),
          value: ({ outcome }) => words[outcome][1],
        },
        {
          head: "Served by",
          cell: ({ outcome, served, fallback }) => (
            <>
              {`${namesOf(served)}${fallback === undefined ? "" : `, for the model ${fallback}`}`}
              {outcome === "moves" && <p className="small quiet">{describeTakeover(served)}</p>}
            </>
          ),
          value: ({ served }) => namesOf(served),
        },
        { head: "Down already", cell: ({ failing }) => namesOf(failing) },
        {
          head: "Price",
          cell: ({ served: [first], priceChanges }) =>
            first === undefined ? "–" : `${describePrice(first.pricing)}${priceChanges ? " (changes)" : ""}`,
        },
      ]}
    />
  );
}

interface RemedyProps {
  readonly row: Rehearsed;
  readonly remedy: Remedy;
  readonly isInFile: boolean;
}

/** How to keep a model that nothing would serve. A model that was discovered is in no file, and is added to it. */
function RemedyOf({ row: { id }, remedy, isInFile }: RemedyProps) {
  const { reasons, repairs, first, addition, mayFallBack } = remedy;
  // An empty target would be in the way of a fallback.
  const part = mayFallBack ? undefined : "target";
  const add = isInFile
    ? linkTo("/models/change", { model: id, add: part })
    : linkTo("/models/add", { upstream: first?.upstream, name: first?.model, add: part });
  return (
    <div className="small">
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      {repairs.map((target) => (
        <p key={nameTarget(target)}>
          <a href={linkTo("/upstreams", { upstream: target.upstream, target: target.model })}>
            See why {nameTarget(target)} does not work
          </a>
        </p>
      ))}
      <p>
        <a href={add}>
          {addition}
          <span className="visually-hidden"> to {id}</span>
        </a>
      </p>
    </div>
  );
}
