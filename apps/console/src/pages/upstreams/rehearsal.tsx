import { useListAdminModels } from "../../operations/listAdminModels.js";
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
  return targets.map(({ upstream, model }) => `${upstream} / ${model}`).join(", ") || "–";
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
              {row.served.length === 0 && (
                <Remedy row={row} isInFile={configuration.data?.models[row.id] !== undefined} />
              )}
            </>
          ),
          value: ({ outcome }) => words[outcome][1],
        },
        {
          head: "Served by",
          cell: ({ served, fallback }) =>
            `${namesOf(served)}${fallback === undefined ? "" : `, for the model ${fallback}`}`,
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

/** How to keep a model that nothing would serve. A model that was discovered is in no file, and is added to it. */
function Remedy({ row: { id, type }, isInFile }: { readonly row: Rehearsed; readonly isInFile: boolean }) {
  return (
    <p className="small">
      <a href={isInFile ? linkTo("/models/change", { model: id }) : linkTo("/models/add")}>
        {type === "image" ? "Add a second target or a fallback" : "Add a second target"}
        <span className="visually-hidden"> to {id}</span>
      </a>
    </p>
  );
}
