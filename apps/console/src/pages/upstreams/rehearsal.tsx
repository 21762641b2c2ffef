import { useState } from "react";
import { useListAdminModels } from "../../operations/listAdminModels.js";
import { Badge, type Tone } from "../../parts/badge.js";
import { Panel } from "../../parts/panel.js";
import { Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { describePrice } from "../models/describe-model.js";
import { type Rehearsed, rehearse } from "./rehearse.js";

/** Shows the effect on each model if an upstream were down. Sends nothing. */
export function Rehearsal({ upstreams }: { readonly upstreams: readonly string[] }) {
  const models = useListAdminModels();
  const [down, setDown] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string) => {
    const changed = new Set(down);
    if (!changed.delete(name)) changed.add(name);
    setDown(changed);
  };
  return (
    <Panel title="Failover rehearsal">
      <div className="stack">
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
          <Loaded query={models}>{({ data }) => <Outcomes outcomes={rehearse(data, down)} />}</Loaded>
        )}
      </div>
    </Panel>
  );
}

const words: Readonly<Record<Rehearsed["outcome"], readonly [Tone, string]>> = {
  unchanged: ["good", "as now"],
  moves: ["warn", "moves"],
  gone: ["bad", "gone"],
};

function Outcomes({ outcomes }: { readonly outcomes: readonly Rehearsed[] }) {
  return (
    <Table
      caption="Outcome for each model"
      rows={outcomes}
      rowKey={({ id }) => id}
      columns={[
        { head: "Model", cell: ({ id }) => <span className="mono">{id}</span> },
        {
          head: "Outcome",
          cell: ({ outcome }) => <Badge tone={words[outcome][0]}>{words[outcome][1]}</Badge>,
        },
        {
          head: "Served by",
          cell: ({ served }) => served.map((one) => `${one.upstream} / ${one.model}`).join(", ") || "–",
        },
        {
          head: "Price",
          cell: ({ served: [first], priceChanges }) =>
            first === undefined ? "–" : `${describePrice(first.price)}${priceChanges ? " (changes)" : ""}`,
        },
      ]}
    />
  );
}
