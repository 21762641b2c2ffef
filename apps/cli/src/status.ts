import type { Schemas } from "@model-gateway/domain/operations";
import type { CommandOf } from "./command-table.js";
import { clockOfSeconds, count, span } from "./print/figures.js";
import { requestCells } from "./print/request-line.js";
import { type TableCell, tableLines } from "./print/table.js";
import { createPaint, type Paint, type Report, type Terminal } from "./print/terminal.js";
import type { RemoteGateway } from "./remote/remote-gateway.js";

const failuresMax = 5;
const failuresWithinSeconds = 24 * 3600;

/** The document of `status --json`. */
interface Status {
  readonly url: string;
  readonly status: Schemas["Readiness"]["status"];
  readonly version: string | null;
  readonly workers: number | null;
  readonly pid: number | null;
  readonly started_at: string | null;
  readonly models: Schemas["Readiness"]["models"] & {
    /** Those that are not ready. `null` without the admin key. */
    readonly troubled:
      | readonly Pick<Schemas["AdminModel"], "id" | "type" | "status" | "status_reason">[]
      | null;
  };
  readonly upstreams: {
    readonly total: number;
    /** How many targets nothing is known of, because no call has ended at them yet. */
    readonly unknown: number;
    readonly unhealthy: readonly Schemas["TargetState"][];
  } | null;
  readonly failures: readonly Schemas["RequestRecord"][] | null;
}

/** The state of a running gateway. */
export async function status(
  _command: CommandOf<"status">,
  gateway: RemoteGateway,
  terminal: Terminal,
): Promise<Report> {
  const found = await collect(gateway, new Date());
  return {
    text: describe(found, { now: new Date(), paint: createPaint(terminal), hasKey: gateway.hasAdminKey }),
    document: found,
    isFine: found.status === "ready",
  };
}

async function collect(gateway: RemoteGateway, now: Date): Promise<Status> {
  const { status, models } = await gateway.readiness();
  const { run } = gateway.found;
  const base = {
    url: gateway.url,
    status,
    version: run?.version ?? null,
    workers: null,
    pid: run?.pid ?? null,
    started_at: run?.startedAt ?? null,
    models: { ...models, troubled: null },
    upstreams: null,
    failures: null,
  };
  return gateway.hasAdminKey ? { ...base, ...(await collectMore(gateway, { models, now })) } : base;
}

async function collectMore(
  gateway: RemoteGateway,
  { models, now }: { readonly models: Schemas["Readiness"]["models"]; readonly now: Date },
): Promise<Pick<Status, "version" | "workers" | "models" | "upstreams" | "failures">> {
  const from = Math.floor(now.getTime() / 1000) - failuresWithinSeconds;
  const [started, all, upstreams, failures] = await Promise.all([
    startOf(gateway),
    gateway.administer((client, options) => client.listAdminModels(options)),
    gateway.administer((client, options) => client.listUpstreams(options)),
    gateway.administer((client, options) =>
      client.listRequests({ failed: true, limit: failuresMax, from }, options),
    ),
  ]);
  const targets = upstreams.data.flatMap((upstream) => upstream.targets);
  return {
    version: started.gateway_version,
    workers: started.workers,
    models: {
      ...models,
      troubled: all.data
        .filter(({ status }) => status !== "ready")
        .map(({ id, type, status, status_reason }) => ({ id, type, status, status_reason })),
    },
    upstreams: {
      total: upstreams.data.length,
      unknown: targets.filter(({ state }) => state === "unknown").length,
      unhealthy: targets.filter(({ state }) => state !== "healthy" && state !== "unknown"),
    },
    failures: failures.data,
  };
}

/** The first event of the stream has the version. */
async function startOf(gateway: RemoteGateway): Promise<Schemas["StreamStartedEvent"]["data"]> {
  const events = await gateway.administer((client, options) => client.streamEvents({ limit: 1 }, options));
  for await (const event of events) if (event.type === "stream.started") return event.data;
  return { gateway_version: "", workers: 1 };
}

interface StatusDescription {
  readonly now: Date;
  readonly paint: Paint;
  readonly hasKey: boolean;
}

function describe(found: Status, { now, paint, hasKey }: StatusDescription): string {
  const { url, status, version, models, upstreams, failures } = found;
  const name = version ? `Model Gateway ${version}` : "The gateway";
  const lines = [
    `${paint("strong", name)} at ${url} is ${paint(status === "ready" ? "good" : "bad", status)}.`,
    ...processLine(found, now),
    "",
    `${count(models.total, "model")}, ${models.ready} ready`,
    ...tableLines(
      (models.troubled ?? []).map(({ id, type, status: state, status_reason }): TableCell[] => [
        { text: state, tone: state === "degraded" ? "warning" : "bad" },
        id,
        type,
        status_reason ?? "",
      ]),
      paint,
    ),
  ];
  if (!hasKey || upstreams === null || failures === null)
    return `${[...lines, "", "Upstreams and failures need the admin key: set GATEWAY_ADMIN_KEY."].join("\n")}\n`;
  return `${[
    ...lines,
    "",
    `${count(upstreams.total, "upstream")}, ${describeTargets(upstreams)}`,
    ...tableLines(
      upstreams.unhealthy.map((target) => targetCells(target, now)),
      paint,
    ),
    "",
    failures.length === 0 ? "No request failed in the last 24 hours." : "Last failures",
    ...tableLines(
      failures.map((failure) => requestCells(failure, now)),
      paint,
    ),
  ].join("\n")}\n`;
}

function describeTargets({ unhealthy, unknown }: NonNullable<Status["upstreams"]>): string {
  const notCalled = unknown === 0 ? [] : [`${count(unknown, "target")} not called since the start`];
  const isWell = unhealthy.length === 0;
  const state = isWell
    ? `all${unknown > 0 ? " other" : ""} targets`
    : `${count(unhealthy.length, "target")} not`;
  return [...notCalled, `${state} healthy`].join(", ");
}

function processLine({ started_at, pid, workers }: Status, now: Date): string[] {
  const parts = [
    ...(started_at === null ? [] : [`up ${span(now.getTime() - Date.parse(started_at))}`]),
    ...(pid === null ? [] : [`process ${pid}`]),
    ...(workers === null ? [] : [count(workers, "worker")]),
  ];
  return parts.length === 0 ? [] : [`  ${parts.join(", ")}`];
}

function targetCells({ upstream, model, state, last_error }: Schemas["TargetState"], now: Date): TableCell[] {
  const at = last_error === null ? "" : clockOfSeconds(last_error.at, now);
  return [{ text: state, tone: "bad" }, upstream, model, at, last_error?.message ?? ""];
}
