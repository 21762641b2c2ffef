import { useState } from "react";
import { useListUpstreams } from "../../operations/listUpstreams.js";
import { useProbeTarget } from "../../operations/probeTarget.js";
import { useRetrieveConfiguration } from "../../operations/retrieveConfiguration.js";
import type { Schemas } from "../../operations/schemas.js";
import { Dialog } from "../../parts/dialog.js";
import { formatMs, formatUsd, plural } from "../../parts/format.js";
import { Page } from "../../parts/page.js";
import { Panel } from "../../parts/panel.js";
import { Empty, Fault, Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { When } from "../../parts/when.js";
import { changeQuery, linkTo, useAddress } from "../../routes/address.js";
import { useIsFollowing, useSignedIn } from "../../session/session-context.js";
import { EntryActions } from "../configure/entry-actions.js";
import { RemoveDialog } from "../configure/remove-dialog.js";
import { describeFailing, TargetLatency, TargetStateBadge } from "../target-state.js";
import { AcceptDialog, SpaceDrift } from "./accept-space.js";
import { DayStrip, StripLegend } from "./day-strip.js";
import { Rehearsal } from "./rehearsal.js";
import { SpaceDoctor } from "./space-doctor.js";

type TargetState = Schemas["TargetState"];

export default function UpstreamsPage() {
  const upstreams = useListUpstreams();
  const configuration = useRetrieveConfiguration();
  const address = useAddress();
  const removed = address.query.get("remove");
  const { session } = useSignedIn();
  const isFollowing = useIsFollowing();
  return (
    <Page
      title="Upstreams"
      lead={`As the gateway at ${location.host} sees them, version ${session.version}. ${isFollowing ? "Updated live." : "Refreshed every 5 seconds."}`}
      actions={
        <a className="button primary" href={linkTo("/upstreams/add")}>
          Add upstream
        </a>
      }
    >
      <Loaded query={upstreams}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>No upstream is configured.</Empty>
          ) : (
            <>
              <StripLegend />
              {data.map((upstream) => (
                <UpstreamPanel
                  key={upstream.name}
                  upstream={upstream}
                  isInFile={configuration.data?.upstreams[upstream.name] !== undefined}
                />
              ))}
              <Rehearsal upstreams={data.map(({ name }) => name)} />
              <SpaceDoctor />
            </>
          )
        }
      </Loaded>
      {removed !== null && (
        <RemoveDialog
          name={removed}
          kind="upstreams"
          onClose={() => changeQuery(address, { remove: undefined })}
        />
      )}
    </Page>
  );
}

interface UpstreamPanelProps {
  readonly upstream: Schemas["Upstream"];
  /** Whether it can be changed: an upstream may come from elsewhere than the configuration. */
  readonly isInFile: boolean;
}

function UpstreamPanel({ upstream, isInFile }: UpstreamPanelProps) {
  const { name, provider, base_url, has_key, discovery, targets, history } = upstream;
  const [probed, setProbed] = useState<TargetState>();
  const [accepted, setAccepted] = useState<TargetState>();
  return (
    <Panel
      title={name}
      actions={
        <div className="row">
          <span className="small quiet">
            {[provider, base_url ?? "inside the gateway", has_key ? "with a key" : "without a key"].join(
              " · ",
            )}
          </span>
          {isInFile && (
            <EntryActions
              name={name}
              change={linkTo("/upstreams/change", { upstream: name })}
              remove={linkTo("/upstreams", { remove: name })}
            />
          )}
        </div>
      }
    >
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
        <Table
          caption={`Targets of ${name}`}
          rows={targets}
          rowKey={({ model, serves }) => `${model} ${serves.join(" ")}`}
          columns={[
            { head: "Upstream model", cell: ({ model }) => <span className="mono">{model}</span> },
            { head: "Serves", cell: ({ serves }) => serves.join(", ") || "–" },
            {
              head: "State",
              cell: (target) => (
                <>
                  <TargetStateBadge state={target.state} />
                  <p className="quiet small">{describeFailing(target, Date.now())}</p>
                  <SpaceDrift target={target} />
                </>
              ),
            },
            {
              head: "Last 24 hours",
              cell: ({ model }) => <DayStrip history={history.find((one) => one.model === model)} />,
            },
            { head: "In flight", cell: ({ in_flight }) => in_flight, kind: "number" },
            {
              head: "p50 / p95",
              cell: ({ latency }) => <TargetLatency latency={latency} />,
              kind: "number",
            },
            { head: "Last failure", cell: (target) => <LastFailure target={target} /> },
            {
              head: "Try",
              cell: (target) => (
                <>
                  <button type="button" className="button" onClick={() => setProbed(target)}>
                    Try now
                    <span className="visually-hidden">{` ${name} / ${target.model}`}</span>
                  </button>
                  {target.space_check?.drifted === true && (
                    <button type="button" className="button" onClick={() => setAccepted(target)}>
                      Accept vectors
                      <span className="visually-hidden">{` of ${name} / ${target.model}`}</span>
                    </button>
                  )}
                </>
              ),
            },
          ]}
        />
      )}
      {probed !== undefined && <ProbeDialog target={probed} onClose={() => setProbed(undefined)} />}
      {accepted !== undefined && <AcceptDialog target={accepted} onClose={() => setAccepted(undefined)} />}
    </Panel>
  );
}

function LastFailure({ target: { last_error, paused_until } }: { readonly target: TargetState }) {
  if (last_error === null) return <span className="quiet">none</span>;
  return (
    <>
      <When at={last_error.at} />: {last_error.message}
      {paused_until !== null && paused_until * 1000 > Date.now() && (
        <span className="quiet">
          {" "}
          Called again <When at={paused_until} />.
        </span>
      )}
    </>
  );
}

/** Asks before it calls: an image costs money. */
function ProbeDialog({ target, onClose }: { readonly target: TargetState; readonly onClose: () => void }) {
  const probe = useProbeTarget();
  const [model = ""] = target.serves;
  const run = () =>
    probe.mutate({ model, upstream: target.upstream, target_model: target.model, confirm_cost: true });
  return (
    <Dialog title={`Try ${target.upstream} / ${target.model}`} onClose={onClose}>
      <div className="stack">
        <p>
          The gateway sends one small request for <code>{model}</code> to this target and no other. An image
          model draws one image, which may cost money. If it succeeds, the target gets requests again.
        </p>
        {probe.error !== null && <Fault error={probe.error} />}
        {probe.data !== undefined && (
          <div role="status">
            <TargetStateBadge state={probe.data.state} />
            <p>
              {probe.data.ok
                ? `It replied in ${formatMs(probe.data.ms)}.`
                : `It failed after ${formatMs(probe.data.ms)}: ${probe.data.error?.message ?? ""}`}
              {probe.data.cost_usd !== null && ` It cost ${formatUsd(probe.data.cost_usd)}.`}
            </p>
          </div>
        )}
      </div>
      <div className="dialog-end">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
        <button
          type="button"
          className="button primary"
          disabled={probe.isPending || model === ""}
          onClick={run}
        >
          {probe.isPending ? "Trying…" : "Try now"}
        </button>
      </div>
    </Dialog>
  );
}
