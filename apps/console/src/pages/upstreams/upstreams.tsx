import { useListUpstreams } from "../../operations/listUpstreams.js";
import { targetId } from "../../operations/named-target.js";
import { useRetrieveConfiguration } from "../../operations/retrieveConfiguration.js";
import type { Schemas } from "../../operations/schemas.js";
import { plural } from "../../parts/format.js";
import { Page } from "../../parts/page.js";
import { Panel } from "../../parts/panel.js";
import { Empty, Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { When } from "../../parts/when.js";
import { changedLink, linkTo, useAddress } from "../../routes/address.js";
import { useSheet } from "../../routes/sheet.js";
import { May, useIsFollowing, useSignedIn } from "../../session/session-context.js";
import { EntryActions } from "../configure/entry-actions.js";
import { RemoveDialog } from "../configure/remove-dialog.js";
import { TargetLatency } from "../target-state.js";
import { AcceptDialog } from "./accept-space.js";
import { CredentialLine } from "./credential-line.js";
import { DayStrip, StripLegend } from "./day-strip.js";
import { ProbeDialog } from "./probe-dialog.js";
import { Rehearsal } from "./rehearsal.js";
import { SpaceDoctor } from "./space-doctor.js";
import { TargetStateCell } from "./target-state-cell.js";

export default function UpstreamsPage() {
  const upstreams = useListUpstreams();
  const configuration = useRetrieveConfiguration();
  const remove = useSheet("remove");
  const only = useAddress().query.get("upstream");
  const { session } = useSignedIn();
  const isFollowing = useIsFollowing();
  return (
    <Page
      title="Upstreams"
      lead={`As the gateway at ${location.host} sees them, version ${session.version}. ${isFollowing ? "Updated live." : "Refreshed every 5 seconds."}`}
      actions={
        <May call="changeConfiguration">
          <a className="button primary" href={linkTo("/upstreams/add")}>
            Add upstream
          </a>
        </May>
      }
    >
      <Loaded query={upstreams}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>No upstream is configured.</Empty>
          ) : (
            <>
              <StripLegend />
              {only !== null && (
                <p className="quiet">
                  One of {plural(data.length, "upstream")} · <a href={linkTo("/upstreams")}>Show all</a>
                </p>
              )}
              {data
                .filter(({ name }) => only === null || name === only)
                .map((upstream) => (
                  <UpstreamPanel
                    key={upstream.name}
                    upstream={upstream}
                    isInFile={configuration.data?.upstreams[upstream.name] !== undefined}
                    remove={remove.link(upstream.name)}
                  />
                ))}
              <Rehearsal upstreams={data} />
              <SpaceDoctor />
            </>
          )
        }
      </Loaded>
      {remove.open !== undefined && (
        <RemoveDialog name={remove.open} kind="upstreams" onClose={remove.close} />
      )}
    </Page>
  );
}

interface UpstreamPanelProps {
  readonly upstream: Schemas["Upstream"];
  /** Whether it can be changed: an upstream may come from elsewhere than the configuration. */
  readonly isInFile: boolean;
  /** The link to the dialog that removes it. */
  readonly remove: string;
}

function UpstreamPanel({ upstream, isInFile, remove }: UpstreamPanelProps) {
  const { name, provider, base_url, has_key, credential, discovery, targets, history } = upstream;
  const probe = useSheet("probe");
  const accept = useSheet("accept");
  const probed = targets.find((target) => targetId(target) === probe.open);
  const accepted = targets.find((target) => targetId(target) === accept.open);
  const address = useAddress();
  const marked = address.query.get("target");
  const selected = targets.find(({ model }) => model === marked);
  return (
    <Panel
      title={name}
      link={linkTo("/upstreams", { upstream: name })}
      actions={
        <div className="row">
          <span className="small quiet">
            {[provider, base_url ?? "inside the gateway", has_key ? "with a key" : "without a key"].join(
              " · ",
            )}
          </span>
          <a className="button" href={changedLink(address, { down: name, section: "rehearsal" })}>
            What if it is down?
            <span className="visually-hidden"> {name}</span>
          </a>
          {isInFile && (
            <EntryActions
              name={name}
              change={linkTo("/upstreams/change", { upstream: name })}
              remove={remove}
            />
          )}
        </div>
      }
    >
      {credential !== null && <CredentialLine credential={credential} />}
      {discovery !== null && (
        <p className="small quiet">
          {plural(discovery.models, "model")} found, <When at={discovery.checked_at} never="not looked yet" />
          {discovery.error !== null && <span className="tone-bad"> · {discovery.error}</span>}
        </p>
      )}
      {targets.length === 0 ? (
        <p className="quiet">
          No model uses it. {isInFile && <a href={linkTo("/models/add", { upstream: name })}>Add a model</a>}
        </p>
      ) : (
        <div className="targets">
          <Table
            caption={`Targets of ${name}`}
            rows={targets}
            rowKey={targetId}
            selected={selected && targetId(selected)}
            columns={[
              {
                head: "Upstream model",
                cell: ({ model }) => <span className="mono">{model}</span>,
                value: ({ model }) => model,
              },
              {
                head: "State",
                cell: (target) => (
                  <TargetStateCell
                    target={target}
                    history={history.find((one) => one.model === target.model)}
                    probe={probe.link(targetId(target))}
                    accept={accept.link(targetId(target))}
                  />
                ),
                value: ({ state }) => state,
              },
              {
                head: "Last 24 hours",
                cell: ({ model }) => <DayStrip history={history.find((one) => one.model === model)} />,
              },
              {
                head: "Serves",
                cell: ({ serves }) =>
                  serves.length === 0
                    ? "–"
                    : serves.map((model) => (
                        <a key={model} className="serves" href={linkTo("/models", { model })}>
                          {model}
                        </a>
                      )),
                value: ({ serves }) => serves[0],
              },
              {
                head: "In flight",
                cell: ({ in_flight }) => in_flight,
                value: ({ in_flight }) => in_flight,
                kind: "number",
              },
              {
                head: "p50 / p95",
                cell: ({ latency }) => <TargetLatency latency={latency} />,
                value: ({ latency }) => latency?.p50_ms,
                kind: "number",
              },
            ]}
          />
        </div>
      )}
      {probed !== undefined && <ProbeDialog target={probed} onClose={probe.close} />}
      {accepted !== undefined && <AcceptDialog target={accepted} onClose={accept.close} />}
    </Panel>
  );
}
