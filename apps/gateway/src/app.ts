import type { IncomingMessage, ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { Connection } from "./adapters/adapter.js";
import type { Catalog } from "./catalog.js";
import type { Config } from "./config/config.js";
import { createPlane, type Plane } from "./create-plane.js";
import type { Target, Upstream } from "./domain/model.js";
import { warmUp } from "./http/openapi.js";
import type { ExpressFactory } from "./http/prototypes.js";
import { type FoundationNeeds, openFoundation } from "./open-foundation.js";
import { Tenancy } from "./tenancy.js";

export interface GatewayNeeds extends FoundationNeeds {
  readonly openUpstream: (upstream: Upstream) => Promise<Connection>;
}

export interface Gateway {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** What the server shall make requests and responses from. */
  readonly classes: ExpressFactory["classes"];
  readonly catalog: () => Catalog;
  /** Takes another configuration. Requests under way finish with the one they began with. */
  reload(config: Config): Promise<void>;
  /** From here on the gateway says that it is not ready. */
  beginStop(): void;
  close(): Promise<void>;
}

/** What is opened once, for good; another value takes a restart. */
const lasting = ["host", "port", "dataDir", "logLevel", "redisUrl", "limits", "pictures"] as const;

/** The composition root: a foundation that lasts, and on it the plane that the configuration describes. */
export async function createGateway(needs: GatewayNeeds): Promise<Gateway> {
  const { log, openUpstream } = needs;
  const foundation = await openFoundation(needs);
  let isStopping = false;
  const build = (config: Config, previous: Plane["upstreams"]) =>
    createPlane({ config, foundation, openUpstream, isStopping: () => isStopping, previous });

  let current = new Tenancy(await build(needs.config, new Map()));
  await warmUp(foundation.validate, foundation.operations, current.plane.app);
  return {
    handle: (request, response) => current.serve(request, response),
    classes: foundation.express.classes,
    catalog: () => current.plane.catalog,
    reload: async (wanted) => {
      const retired = current;
      const { config: before, upstreams } = retired.plane;
      const config = { ...wanted, ...keep(before) };
      const ignored = lasting.filter((key) => !isDeepStrictEqual(wanted[key], before[key]));
      if (ignored.length > 0) log.warn({ ignored }, "A part of the new configuration takes a restart.");
      const plane = await build(config, upstreams);
      const left = [...upstreams].filter(([name, open]) => plane.upstreams.get(name) !== open);
      foundation.scheduler.adopt(targetsOf(config), new Set(left.map(([name]) => name)));
      current = new Tenancy(plane);
      const close = () => Promise.all(left.map(([, { connection }]) => connection.close()));
      void retired
        .end()
        .then(close)
        .catch((failure: unknown) => log.error({ err: failure }, "An upstream could not be closed."));
    },
    beginStop: () => {
      isStopping = true;
    },
    close: async () => {
      await Promise.all([...current.plane.upstreams.values()].map(({ connection }) => connection.close()));
      await foundation.close();
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
