import type { ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { Config } from "../config/config.js";
import type { Target, Upstream } from "../domain/model.js";
import { warmUp } from "../http/request/validate.js";
import type { Catalog } from "../models/catalog.js";
import type { OpenProvider } from "../providers/provider.js";
import type { ExpressFactory } from "../runtime/express-prototypes.js";
import { TurnBatch } from "../runtime/turn-batch.js";
import { createMetrics, type Metrics } from "../telemetry/metrics/metrics.js";
import { InFlight } from "./in-flight.js";
import { createPipeline, type Pipeline } from "./pipeline.js";
import { openServices, type ServicesOptions } from "./services.js";

export interface GatewayOptions extends ServicesOptions {
  readonly openUpstream: (upstream: Upstream) => Promise<OpenProvider>;
  /** What answers for all workers together, where there are several. */
  readonly gatherMetrics?: (metrics: Metrics) => Pick<Metrics, "render">;
}

export interface Gateway {
  /** Sees to it that the response answers its request. */
  readonly handle: (response: ServerResponse) => void;
  /** What the server shall make requests and responses from. */
  readonly classes: ExpressFactory["classes"];
  readonly catalog: () => Catalog;
  readonly metrics: Metrics;
  /** The key of the admin API, where this very start has made it. */
  readonly madeAdminKey: string | undefined;
  /** Makes ready for operators, who may come later than callers. */
  warmUpAdmin(): Promise<void>;
  /** Takes another configuration. Requests under way finish with the one they began with. */
  reload(config: Config): Promise<void>;
  /** From here on the gateway says that it is not ready. */
  beginStop(): void;
  close(): Promise<void>;
}

/** Nobody waits for an answer any more when this begins to count. */
const endMsMax = 5000;

/** What is opened once, for good; another value takes a restart. */
const lasting = [
  "host",
  "port",
  "workers",
  "dataDir",
  "logLevel",
  "redisUrl",
  "databaseUrl",
  "adminKeySha256",
  "keySecret",
  "limits",
  "images",
] as const;

/** The composition root: a foundation that lasts, and on it the plane that the configuration describes. */
export async function createGateway(needs: GatewayOptions): Promise<Gateway> {
  const { log, openUpstream, gatherMetrics } = needs;
  const services = await openServices(needs);
  const { validate, operations, scheduler, admission, ledger, keys } = services;
  const metrics = createMetrics({
    known: {
      isModel: (id) => current.plane.config.models.has(id),
      isUpstream: (name) => current.plane.config.upstreams.has(name),
    },
    sources: {
      targets: () => scheduler.snapshot(targetsOf(current.plane.config)),
      queue: () => admission.waiting(),
      ledger: () => ledger.snapshot(),
    },
  });
  let isStopping = false;
  const shared = {
    services,
    openUpstream,
    metrics,
    shownMetrics: gatherMetrics?.(metrics) ?? metrics,
    isStopping: () => isStopping,
  };
  const build = (config: Config, previous: Pipeline["upstreams"]) =>
    createPipeline({ ...shared, config, previous });

  let current = new InFlight(await build(needs.config, new Map()));
  const arrivals = new TurnBatch<ServerResponse>((response) => {
    // Nobody can be answered any more: what would be counted from here on would never be over.
    if (response.destroyed || !response.req.socket.writable) return;
    current.serve(response.req, response);
  });
  return {
    handle: (response) => arrivals.add(response),
    classes: services.express.classes,
    catalog: () => current.plane.catalog,
    metrics,
    madeAdminKey: keys.adminKey.made,
    warmUpAdmin: () =>
      warmUp(
        validate,
        operations.filter(({ access }) => access === "admin"),
      ),
    reload: async (wanted) => {
      const retired = current;
      const { config: before, upstreams } = retired.plane;
      const config = { ...wanted, ...keep(before) };
      const ignored = lasting.filter((key) => !isDeepStrictEqual(wanted[key], before[key]));
      if (ignored.length > 0) log.warn({ ignored }, "A part of the new configuration takes a restart.");
      const plane = await build(config, upstreams);
      const left = [...upstreams].filter(([name, open]) => plane.upstreams.get(name) !== open);
      scheduler.adopt(targetsOf(config), new Set(left.map(([name]) => name)));
      keys.ring.configure(config.keys);
      current = new InFlight(plane);
      const close = () => Promise.all(left.map(([, { provider }]) => provider.close()));
      void retired
        .end()
        .then(close)
        .catch((failure: unknown) => log.error({ err: failure }, "An upstream could not be closed."));
    },
    beginStop: () => {
      isStopping = true;
    },
    close: async () => {
      try {
        // What callers have left behind is written down before there is nowhere to write it.
        await current.endWithin(endMsMax);
        await Promise.all([...current.plane.upstreams.values()].map(({ provider }) => provider.close()));
        await services.close();
      } finally {
        services.requestLog.flush();
      }
    },
  };
}

function keep(config: Config): Pick<Config, (typeof lasting)[number]> {
  return Object.fromEntries(lasting.map((key) => [key, config[key]])) as Pick<
    Config,
    (typeof lasting)[number]
  >;
}

function targetsOf({ models }: Config): Target[] {
  return [...models.values()].flatMap((model): Target[] => [...model.targets]);
}
