import type { Upstream } from "../../domain/model.js";
import type { DiscoveryState } from "../../models/discovery.js";
import type { Schemas } from "../../operations.js";
import type { Catalog } from "../catalog.js";
import type { Handler } from "../handler.js";
import { describeTargets } from "../schemas/TargetState.js";
import type { ObserveState } from "./checkReadiness.js";

export interface UpstreamHandlerServices {
  readonly catalog: Catalog;
  readonly upstreams: () => Iterable<Upstream>;
  readonly observe: ObserveState;
  /** Result of reading an upstream's model list; null if it is not read. */
  readonly discoveryOf: (upstream: string) => DiscoveryState | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function listUpstreams({
  catalog,
  upstreams,
  observe,
  discoveryOf,
  now,
}: UpstreamHandlerServices): Handler<"listUpstreams"> {
  return async () => {
    const { targets } = await observe();
    const states = describeTargets(targets, { models: catalog.all(), now: now() });
    return {
      body: {
        object: "list",
        data: [...upstreams()].map((upstream) =>
          describe(
            upstream,
            states.filter((state) => state.upstream === upstream.name),
            discoveryOf(upstream.name),
          ),
        ),
        next_cursor: null,
      },
    };
  };
}

function describe(
  upstream: Upstream,
  states: Schemas["TargetState"][],
  discovery: DiscoveryState | null,
): Schemas["Upstream"] {
  const { name, provider, baseUrl, hasKey, timeoutMs } = upstream;
  return {
    object: "upstream",
    name,
    provider,
    base_url: baseUrl === undefined ? null : withoutSecrets(baseUrl),
    has_key: hasKey,
    timeout_ms: timeoutMs ?? null,
    discovery: discovery && describeDiscovery(discovery),
    targets: states,
  };
}

function describeDiscovery({ models, checkedAt, error }: DiscoveryState): Schemas["Discovery"] {
  return { models, checked_at: checkedAt === null ? null : Math.floor(checkedAt / 1000), error };
}

/** A URL may contain a password, and its query a key. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname === "/" ? "" : pathname}`;
}
