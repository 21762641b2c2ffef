import type { CredentialState } from "@model-gateway/domain/credential-state";
import type { Upstream } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import type { TargetHistory } from "@model-gateway/scheduling/scheduler";
import type { Handler } from "../../execution/handler.js";
import type { DiscoveryState } from "../../models/discovery.js";
import type { Catalog } from "../catalog.js";
import { describeHistory } from "../documents/TargetHistory.js";
import { describeTargets } from "../documents/TargetState.js";
import type { ObserveState } from "./checkReadiness.js";

/** The last 24 hours of every target, as all workers have seen them. Built by `app/observe-history.ts`. */
export type ObserveHistory = () => Promise<readonly TargetHistory[]>;

export interface UpstreamHandlerServices {
  readonly catalog: Catalog;
  readonly upstreams: () => Iterable<Upstream>;
  readonly observe: ObserveState;
  readonly observeHistory: ObserveHistory;
  /** The state of an upstream's credential; null if it has none that changes. */
  readonly credentialOf: (upstream: string) => CredentialState | null;
  /** Result of reading an upstream's model list; null if it is not read. */
  readonly discoveryOf: (upstream: string) => DiscoveryState | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function listUpstreams({
  catalog,
  upstreams,
  observe,
  observeHistory,
  credentialOf,
  discoveryOf,
  now,
}: UpstreamHandlerServices): Handler<"listUpstreams"> {
  return async () => {
    const [{ targets }, histories] = await Promise.all([observe(), observeHistory()]);
    const states = describeTargets(targets, { models: catalog.all(), now: now() });
    return {
      body: {
        object: "list",
        data: [...upstreams()].map((upstream) =>
          describe(upstream, {
            states: states.filter((state) => state.upstream === upstream.name),
            histories: histories.filter((history) => history.upstream === upstream.name),
            credential: credentialOf(upstream.name),
            discovery: discoveryOf(upstream.name),
          }),
        ),
        next_cursor: null,
      },
    };
  };
}

interface UpstreamView {
  readonly states: Schemas["TargetState"][];
  readonly histories: readonly TargetHistory[];
  readonly credential: CredentialState | null;
  readonly discovery: DiscoveryState | null;
}

function describe(upstream: Upstream, view: UpstreamView): Schemas["Upstream"] {
  const { states, histories, credential, discovery } = view;
  const { name, provider, baseUrl, hasKey, timeoutMs } = upstream;
  return {
    object: "upstream",
    name,
    provider,
    base_url: baseUrl === undefined ? null : withoutSecrets(baseUrl),
    has_key: hasKey,
    timeout_ms: timeoutMs ?? null,
    credential: credential && describeCredential(credential),
    discovery: discovery && describeDiscovery(discovery),
    targets: states,
    history: histories.map(describeHistory),
  };
}

function describeCredential(state: CredentialState): Schemas["UpstreamCredential"] {
  const { source, status, expiresAt, renewedAt, error } = state;
  return { source, status, expires_at: seconds(expiresAt), renewed_at: seconds(renewedAt), error };
}

function describeDiscovery({ models, checkedAt, error }: DiscoveryState): Schemas["Discovery"] {
  return { models, checked_at: seconds(checkedAt), error };
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.floor(ms / 1000);
}

/** A URL may contain a password, and its query a key. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname === "/" ? "" : pathname}`;
}
