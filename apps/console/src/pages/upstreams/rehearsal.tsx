import { useListAdminModels } from "../../operations/listAdminModels.js";
import { nameTarget, targetId } from "../../operations/named-target.js";
import { useRetrieveConfiguration } from "../../operations/retrieveConfiguration.js";
import { useRetrieveUsage } from "../../operations/retrieveUsage.js";
import type { Schemas } from "../../operations/schemas.js";
import { Badge, type Tone } from "../../parts/badge.js";
import { formatCount, formatShare, formatTime } from "../../parts/format.js";
import { Panel } from "../../parts/panel.js";
import { Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { changedLink, changeQuery, linkTo, useAddress } from "../../routes/address.js";
import { useSection } from "../../routes/use-section.js";
import { comparisonLink } from "../last-comparison.js";
import { describePrice } from "../models/describe-model.js";
import { describeProof } from "../target-state.js";
import { startOf } from "../time-span.js";
import { type Rehearsed, rehearse, shareOfTraffic, summarize, worstFirst } from "./rehearse.js";
import { describeTakeover, type Remedy } from "./remedy.js";

/** Shows the effect on each model if an upstream were down. Sends nothing. */
export function Rehearsal({ upstreams }: { readonly upstreams: readonly Schemas["Upstream"][] }) {
  const models = useListAdminModels();
  const day = useRetrieveUsage({
    group_by: ["model", "upstream"],
    from: startOf("24h", Date.now()),
    internal: false,
  });
  const address = useAddress();
  const down = new Set(
    address.query.getAll("down").filter((name) => upstreams.some((one) => one.name === name)),
  );
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
          {upstreams.map(({ name }) => (
            <label key={name} className="check">
              <input type="checkbox" checked={down.has(name)} onChange={() => toggle(name)} />
              {name} is down
            </label>
          ))}
        </fieldset>
        {down.size > 0 && (
          <Loaded query={models}>
            {({ data }) => {
              const outcomes = worstFirst(rehearse(data, down, (target) => proofOf(target) !== undefined));
              const traffic = day.data?.data;
              return (
                <>
                  <p>
                    <strong>{summarize(outcomes)}</strong>
                  </p>
                  {traffic !== undefined && <p>{describeShare(shareOfTraffic(outcomes, traffic, down))}</p>}
                  <Outcomes
                    outcomes={outcomes}
                    requests={traffic && requestsOf(traffic)}
                    states={upstreams.flatMap(({ targets }) => targets)}
                  />
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
  unchanged: ["good", "unchanged"],
  moves: ["warn", "moves"],
  fallback: ["warn", "falls back"],
  lost: ["bad", "unavailable"],
  down: ["bad", "already down"],
};

/** The requests of each model. */
type Requests = ReadonlyMap<string, number>;

function requestsOf(groups: readonly Schemas["UsageGroup"][]): Requests {
  const sums = new Map<string, number>();
  for (const { model, requests } of groups) sums.set(model ?? "", (sums.get(model ?? "") ?? 0) + requests);
  return sums;
}

function describeShare(share: ReturnType<typeof shareOfTraffic>): string {
  if (share === undefined) return "There was no traffic in the last 24 hours.";
  const { moves, mixed, lost } = share;
  const mixing = mixed === 0 ? "" : ` ${formatShare(mixed)} would get vectors of another space.`;
  return `Of the last 24 hours' requests, ${formatShare(moves)} would move and ${formatShare(lost)} would fail.${mixing}`;
}

function proofOf(target: Schemas["AdminTarget"]): string | undefined {
  return describeProof(target, Date.now(), formatTime);
}

function namesOf(targets: Rehearsed["served"]): string {
  return targets.map(nameTarget).join(", ") || "–";
}

interface OutcomesProps {
  readonly outcomes: readonly Rehearsed[];
  /** Undefined while they load. */
  readonly requests: Requests | undefined;
  readonly states: readonly Schemas["TargetState"][];
}

function Outcomes({ outcomes, requests, states }: OutcomesProps) {
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
              <Badge tone={row.vectors === "different" ? "bad" : words[row.outcome][0]}>
                {words[row.outcome][1]}
              </Badge>
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
          cell: ({ id, outcome, served, unproven, fallback, vectors }) => (
            <>
              {`${namesOf(served)}${fallback === undefined ? "" : `, for the model ${fallback}`}`}
              {outcome === "moves" && <p className="small quiet">{describeTakeover(served)}</p>}
              {unproven.map((target) => (
                <Unproven key={nameTarget(target)} target={target} states={states} />
              ))}
              {vectors !== undefined && vectors !== "same" && <MovedVectors model={id} vectors={vectors} />}
            </>
          ),
          value: ({ served }) => namesOf(served),
        },
        {
          head: "Requests, 24 h",
          cell: ({ id }) => (requests === undefined ? "…" : formatCount(requests.get(id) ?? 0)),
          value: ({ id }) => requests?.get(id) ?? 0,
          kind: "number",
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

interface UnprovenProps {
  readonly target: Schemas["AdminTarget"];
  readonly states: readonly Schemas["TargetState"][];
}

/** Since when nothing has shown that a target works which would take over, and the link that proves it. */
function Unproven({ target, states }: UnprovenProps) {
  const address = useAddress();
  const state = states.find((one) => nameTarget(one) === nameTarget(target));
  return (
    <p className="small">
      <span className="tone-warn">{proofOf(target)}</span>{" "}
      {state !== undefined && (
        <a href={changedLink(address, { upstream: undefined, probe: targetId(state) })}>
          Prove it now<span className="visually-hidden"> for {nameTarget(target)}</span>
        </a>
      )}
    </p>
  );
}

interface MovedVectorsProps {
  readonly model: string;
  readonly vectors: Exclude<Rehearsed["vectors"], "same" | undefined>;
}

/** The result of the last comparison of the targets, for a move between them. */
function MovedVectors({ model, vectors }: MovedVectorsProps) {
  const notes = {
    outdated: "Its targets have changed since their vectors were compared.",
    unknown: "The vectors of these targets were not compared.",
  };
  return (
    <p className="small">
      {vectors === "different" ? (
        <Badge tone="bad">different vectors</Badge>
      ) : (
        <span className="quiet">{notes[vectors]}</span>
      )}{" "}
      <a href={comparisonLink(model)}>
        {vectors === "different" ? "View comparison" : "Compare"}
        <span className="visually-hidden"> of {model}</span>
      </a>
    </p>
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
