import type { IncomingMessage, ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { Config } from "@model-gateway/config/config";
import { clientNetwork } from "@model-gateway/domain/ip-address";
import type { ExpressFactory } from "@model-gateway/runtime/express-prototypes";
import { TurnBatch } from "@model-gateway/runtime/turn-batch";
import { wait, waitInBackground } from "@model-gateway/runtime/wait";
import type { Logger } from "pino";
import type { Catalog } from "../api/catalog.js";
import type { Descriptors } from "../execution/descriptors.js";
import type { RunDetached } from "../execution/detached-request.js";
import type { RequestIds } from "../http/request/request-id.js";
import type { SlowReaders } from "../http/response/slow-readers.js";
import type { Metrics } from "../telemetry/metrics/metrics.js";
import { type ActiveRequestsReport, reportActive } from "./active-requests.js";
import { CurrentPipeline } from "./current-pipeline.js";
import { gatewayModules, type Services } from "./gateway-modules.js";
import type { BaseServices, ProcessServices } from "./modules/base.js";
import { OpenModules } from "./modules/open-modules.js";
import { pipeline } from "./pipeline.js";

export interface GatewayOptions extends ProcessServices {
  readonly config: Config;
}

export interface Gateway {
  /** Handles the request of a response. */
  readonly handle: (response: ServerResponse) => void;
  /** The network of the client that sent a request, which may be behind proxies. */
  readonly networkOf: (request: IncomingMessage) => string;
  /** A connection has come, and others may wait behind it. */
  readonly awaitConnections: () => void;
  /** The classes that the HTTP server creates requests and responses from. */
  readonly classes: ExpressFactory["classes"];
  readonly requestIds: RequestIds;
  readonly descriptors: Descriptors;
  readonly slowReaders: SlowReaders;
  readonly catalog: () => Catalog;
  readonly metrics: Metrics;
  /** The requests in flight, those that were worked on last first. */
  readonly activeRequests: () => ActiveRequestsReport;
  /** Runs a request without a connection. */
  readonly runDetached: RunDetached;
  /** A one-time code for the console. Undefined while the database is unavailable. */
  createSignInCode(): Promise<string | undefined>;
  /** Applies another configuration. Requests in flight finish with the one they began with. */
  reload(config: Config): Promise<void>;
  /** A configuration was read and refused. */
  noteRefusal(faults: readonly string[]): void;
  /** From here on the gateway reports that it is not ready. */
  beginStop(): void;
  /** Ends responses that would go on for ever. */
  endStreams(): void;
  /** @param withinMs How long work without a caller may take, and the closing of the storage after it. */
  close(withinMs: number): Promise<void>;
}

/** Opens all modules, and the pipeline that the configuration describes. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, log } = options;
  const modules = new OpenModules(log);
  const list = gatewayModules.with(pipeline);
  const services = await list.open(baseOf(options, modules), { modules, config });
  await modules.start();
  const { current, metrics, active, clock, sessions, reloads } = services;
  const { restartSettings } = list;
  return {
    ...openEntrance(services),
    metrics,
    activeRequests: () => reportActive(active, clock.now()),
    runDetached: current.runDetached,
    createSignInCode: () =>
      sessions.codes.create().then(
        ({ text }) => text,
        () => undefined,
      ),
    reload: (wanted) =>
      current.apply(() => keepRestartSettings(wanted, { before: current.config, restartSettings, log })),
    noteRefusal: (faults) => reloads.refused(faults),
    beginStop: () => modules.beginStop(),
    endStreams: () => modules.endStreams(),
    close: (withinMs) => modules.close(withinMs),
  };
}

function baseOf({ config, ...process }: GatewayOptions, modules: OpenModules): BaseServices {
  const { now, secrets, log } = process;
  const { transferClock = { now, wait: waitInBackground } } = process;
  const { wallClock = { now: Date.now, wait: waitInBackground } } = process;
  return {
    ...process,
    modules,
    current: new CurrentPipeline(config, { secrets, log, adopt: (change) => modules.adopt(change) }),
    clock: { now, wait },
    wallClock,
    transferClock,
  };
}

/** Accepts requests. Those of one event-loop turn begin together. */
function openEntrance({
  current,
  express,
  requestIds,
  descriptors,
  slowReaders,
}: Services): Pick<
  Gateway,
  | "handle"
  | "networkOf"
  | "awaitConnections"
  | "classes"
  | "requestIds"
  | "descriptors"
  | "slowReaders"
  | "catalog"
> {
  const arrivals = new TurnBatch<ServerResponse>((response) => {
    // The caller has left already: its request would never be finished.
    if (response.destroyed || !response.req.socket.writable) return;
    current.pipeline.app(response.req, response);
  });
  return {
    handle: (response) => arrivals.add(response),
    networkOf: (request) => clientNetwork(current.pipeline.clientAddress(request) ?? ""),
    // Node accepts one connection in each turn. If each turn also began requests, the last of 256 callers that come
    // together would wait for 256 such turns: two seconds.
    awaitConnections: () => arrivals.postpone(),
    classes: express.classes,
    requestIds,
    descriptors,
    slowReaders,
    catalog: () => current.pipeline.catalog,
  };
}

interface RunningSettings {
  readonly before: Config;
  readonly restartSettings: readonly (keyof Config)[];
  readonly log: Logger;
}

/** The wanted configuration, with the settings of the running one that need a restart. */
function keepRestartSettings(wanted: Config, { before, restartSettings, log }: RunningSettings): Config {
  const { tls: wantedTls, ...rest } = wanted;
  const kept: Partial<Config> = Object.fromEntries(restartSettings.map((name) => [name, before[name]]));
  // A new certificate takes effect at once, but an http server cannot become an https one.
  const tls = before.tls && (wantedTls ?? before.tls);
  const config: Config = { ...rest, ...kept, ...(tls === undefined ? {} : { tls }) };
  const ignored = ([...restartSettings, "tls"] as const).filter(
    (name) => !isDeepStrictEqual(wanted[name], config[name]),
  );
  if (ignored.length > 0) log.warn({ ignored }, "Some changed settings take effect after a restart.");
  return config;
}
