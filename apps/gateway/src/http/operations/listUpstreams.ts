import type { Upstream } from "../../domain/model.js";
import type { Schemas } from "../../operations.js";
import type { TargetSnapshot } from "../../scheduling/target-health.js";
import type { Handler } from "../handler.js";
import { describeTarget } from "../schemas/TargetState.js";

export interface UpstreamNeeds {
  readonly upstreams: () => Iterable<Upstream>;
  readonly targets: () => readonly TargetSnapshot[];
}

export function listUpstreams({ upstreams, targets }: UpstreamNeeds): Handler<"listUpstreams"> {
  return async () => {
    const states = targets();
    return {
      body: {
        object: "list",
        data: [...upstreams()].map((upstream) =>
          describe(
            upstream,
            states.filter((state) => state.upstream === upstream.name),
          ),
        ),
        next_cursor: null,
      },
    };
  };
}

function describe(upstream: Upstream, states: readonly TargetSnapshot[]): Schemas["Upstream"] {
  const isLocal = upstream.provider === "local";
  return {
    object: "upstream",
    name: upstream.name,
    provider: upstream.provider,
    base_url: isLocal ? null : withoutSecrets(upstream.baseUrl),
    has_key: !isLocal && upstream.apiKey !== undefined,
    timeout_ms: isLocal ? null : (upstream.timeoutMs ?? null),
    targets: states.map(describeTarget),
  };
}

/** A URL may hold a password, and its query a key. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname === "/" ? "" : pathname}`;
}
