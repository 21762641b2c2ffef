import type { Upstream } from "../../domain/model.js";
import type { Schemas } from "../../operations.js";
import type { Handler } from "../handler.js";
import { describeTarget } from "../schemas/TargetState.js";
import type { ObserveState } from "./checkReadiness.js";

export interface UpstreamHandlerServices {
  readonly upstreams: () => Iterable<Upstream>;
  readonly observe: ObserveState;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function listUpstreams({
  upstreams,
  observe,
  now,
}: UpstreamHandlerServices): Handler<"listUpstreams"> {
  return async () => {
    const { targets } = await observe();
    const states = targets.map((target) => describeTarget(target, now()));
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

function describe(upstream: Upstream, states: Schemas["TargetState"][]): Schemas["Upstream"] {
  const { name, provider, baseUrl, hasKey, timeoutMs } = upstream;
  return {
    object: "upstream",
    name,
    provider,
    base_url: baseUrl === undefined ? null : withoutSecrets(baseUrl),
    has_key: hasKey,
    timeout_ms: timeoutMs ?? null,
    targets: states,
  };
}

/** A URL may contain a password, and its query a key. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname === "/" ? "" : pathname}`;
}
