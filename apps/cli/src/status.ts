import type { Schemas } from "@model-gateway/domain/operations";
import type { CommandOf } from "./command-table.js";
import { credentialText, credentialTone } from "./print/credential.js";
import { clockOfSeconds, count, span } from "./print/figures.js";
import { requestCells } from "./print/request-line.js";
import { type TableCell, tableLines } from "./print/table.js";
import { createPaint, type Paint, type Report, type Terminal } from "./print/terminal.js";
import { CommandError } from "./remote/command-error.js";
import type { RemoteGateway } from "./remote/remote-gateway.js";

const failuresMax = 5;
const failuresWithinSeconds = 24 * 3600;

type ShownState = NonNullable<Schemas["UpstreamCredential"]>;

/** The document of `status --json`. */
export interface Status {
  readonly url: string;
  readonly status: Schemas["Readiness"]["status"];
  readonly version: string | null;
  readonly workers: number | null;
  readonly pid: number | null;
  readonly started_at: string | null;
  /** `null` while the gateway starts. */
  readonly storage: Schemas["StorageState"] | null;
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
    readonly healthy: number;
    readonly unhealthy: readonly Schemas["TargetState"][];
    /** Those that expire or change, by the name of the upstream. */
    readonly credentials: Readonly<Record<string, ShownState>>;
  } | null;
  /** `null` without the admin key, and while the ledger cannot be read. */
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
  const { status, models, storage = null } = await gateway.readiness();
  const { run } = gateway.found;
  const base = {
    url: gateway.url,
    status,
    version: run?.version ?? null,
    workers: null,
    pid: run?.pid ?? null,
    started_at: run?.startedAt ?? null,
    storage,
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
    gateway
      .administer((client, options) =>
        client.listRequests({ failed: true, limit: failuresMax, from }, options),
      )
      .catch(unlessTransient),
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
      healthy: targets.filter(({ state }) => state === "healthy").length,
      unhealthy: targets.filter(({ state }) => state !== "healthy" && state !== "unknown"),
      credentials: Object.fromEntries(
        upstreams.data.flatMap(({ name, credential }) => (credential === null ? [] : [[name, credential]])),
      ),
    },
    failures: failures?.data ?? null,
  };
}

/** The rest of the state is what one asks for while the database is down. */
function unlessTransient(failure: unknown): undefined {
  if (!(failure instanceof CommandError && failure.isTransient)) throw failure;
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

/** The state as lines for a terminal. */
export function describe(found: Status, { now, paint, hasKey }: StatusDescription): string {
  const { url, status, version, models, upstreams, failures } = found;
  const name = version ? `Model Gateway ${version}` : "The gateway";
  const lines = [
    `${paint("strong", name)} at ${url} is ${paint(status === "ready" ? "good" : "bad", status)}.`,
    ...processLine(found, now),
    ...storageLines(found.storage).map((line) => `  ${paint("warning", line)}`),
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
  if (!hasKey || upstreams === null)
    return `${[...lines, "", "Upstreams and failures need the admin key: set GATEWAY_ADMIN_KEY."].join("\n")}\n`;
  return `${[
    ...lines,
    "",
    ...upstreamLines(upstreams, now, paint),
    "",
    failuresTitle(found),
    ...tableLines(
      (failures ?? []).map((failure) => requestCells(failure, now)),
      paint,
    ),
  ].join("\n")}\n`;
}

function failuresTitle({ failures, storage }: Status): string {
  if (failures === null) return "The last failures are not known: the ledger cannot be read.";
  if (failures.length > 0) return "Last failures";
  const isComplete = storage?.database === "available" && storage.disk !== "full";
  return `No request failed in the last 24 hours${isComplete ? "" : ", apart from those that wait to be stored"}.`;
}

/** Faults of the storage, as sentences. */
function storageLines(storage: Status["storage"]): string[] {
  return [
    ...(storage?.database === "unavailable"
      ? [
          "The database is unavailable: only known keys and those of the configuration work, and usage waits on disk.",
        ]
      : []),
    ...(storage?.disk === "full"
      ? ["The disk of the data folder is full: no large files and no images are stored."]
      : []),
    ...(storage?.disk === "low" ? ["The disk of the data folder is nearly full."] : []),
  ];
}

function upstreamLines(upstreams: NonNullable<Status["upstreams"]>, now: Date, paint: Paint): string[] {
  const { total, unhealthy, credentials } = upstreams;
  const credentialRows = Object.entries(credentials).map(([name, one]) => credentialCells(name, one, now));
  return [
    `${count(total, "upstream")}, ${describeTargets(upstreams)}`,
    ...tableLines(
      unhealthy.map((target) => targetCells(target, now)),
      paint,
    ),
    ...tableLines(credentialRows, paint),
  ];
}

function describeTargets({ unhealthy, unknown, healthy }: NonNullable<Status["upstreams"]>): string {
  return [
    ...(unknown === 0 ? [] : [`${count(unknown, "target")} not called since the start`]),
    ...(unhealthy.length === 0 ? [] : [`${count(unhealthy.length, "target")} not healthy`]),
    ...(unhealthy.length > 0 || healthy === 0 ? [] : [`all${unknown > 0 ? " other" : ""} targets healthy`]),
  ].join(", ");
}

function processLine({ started_at, pid, workers }: Status, now: Date): string[] {
  const parts = [
    ...(started_at === null ? [] : [`up ${span(now.getTime() - Date.parse(started_at))}`]),
    ...(pid === null ? [] : [`process ${pid}`]),
    ...(workers === null ? [] : [count(workers, "worker")]),
  ];
  return parts.length === 0 ? [] : [`  ${parts.join(", ")}`];
}

function credentialCells(
  name: string,
  { expires_at: seconds, ...credential }: ShownState,
  now: Date,
): TableCell[] {
  const expiresAt = seconds === null ? null : seconds * 1000;
  const text = credentialText({ ...credential, expiresAt }, now.getTime());
  return [{ text: "credential", tone: credentialTone(credential) }, name, text, credential.error ?? ""];
}

function targetCells(target: Schemas["TargetState"], now: Date): TableCell[] {
  const { upstream, model, state } = target;
  const { at, why } = reasonOf(target);
  return [{ text: state, tone: "bad" }, upstream, model, at === null ? "" : clockOfSeconds(at, now), why];
}

function reasonOf({ state, last_error, space_check }: Schemas["TargetState"]): {
  readonly at: number | null;
  readonly why: string;
} {
  if (state === "drifted" && space_check !== null) {
    const { checked_at, cosine_min } = space_check;
    return { at: checked_at, why: `Returns other vectors than those recorded: lowest cosine ${cosine_min}.` };
  }
  return { at: last_error?.at ?? null, why: last_error?.message ?? "" };
}
