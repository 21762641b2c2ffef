import type { UseQueryResult } from "@tanstack/react-query";
import { useSignedIn } from "../session/session-context.js";
import { useListAdminModels } from "./listAdminModels.js";
import type { Schemas } from "./schemas.js";
import { useOperation } from "./use-operation.js";

/** A model as the person who is signed in may see it: a developer sees no targets. */
export interface ShownModel {
  readonly id: string;
  readonly type: Schemas["Model"]["type"];
  readonly description: string | undefined;
  readonly isPattern: boolean;
  readonly aliases: readonly string[];
  readonly operations: readonly string[];
  /** Whether the gateway has everything that it needs. Its targets may fail nevertheless. */
  readonly isReady: boolean;
  readonly statusReason: string | undefined;
  readonly embedding: Schemas["EmbeddingCapabilities"] | undefined;
  readonly image: Schemas["ImageCapabilities"] | undefined;
  readonly health: Schemas["ModelHealth"] | undefined;
  /** The model that serves its requests while it has no healthy target. */
  readonly fallback: string | undefined;
  readonly targets: readonly Schemas["AdminTarget"][] | undefined;
  readonly shadow: Schemas["ModelShadow"] | undefined;
  /** The last comparison of its targets, for an operator. */
  readonly comparison: Schemas["SpaceComparison"] | undefined;
  /** The day of its announced end. */
  readonly shutdownDate: string | undefined;
  /** For a developer. An operator sees the prices of each target. */
  readonly pricing: Schemas["Model"]["pricing"];
}

interface ShownModels extends Pick<UseQueryResult, "error" | "isLoading" | "refetch"> {
  readonly data: readonly ShownModel[] | undefined;
}

/** The models that the session may call, from the most detailed operation it may use. */
export function useListModels(): ShownModels {
  const isOperator = useSignedIn().session.kind === "operator";
  const all = useListAdminModels({ isEnabled: isOperator });
  const own = useOperation(["listModels"], (client, signal) => client.listModels({ signal }), {
    isEnabled: !isOperator,
  });
  const { error, isLoading, refetch } = isOperator ? all : own;
  const data = isOperator ? all.data?.data.map(show) : own.data?.data.map(show);
  return { error, isLoading, refetch, data };
}

function show(model: Schemas["AdminModel"] | Schemas["Model"]): ShownModel {
  return {
    id: model.id,
    type: model.type,
    description: model.description ?? undefined,
    isPattern: model.is_pattern ?? false,
    aliases: model.aliases ?? [],
    operations: model.operations,
    isReady: model.status !== "unavailable",
    statusReason: model.status === "unavailable" ? (model.status_reason ?? undefined) : undefined,
    embedding: model.embedding,
    image: model.image,
    health: "health" in model ? model.health : healthOf(model),
    fallback: "fallback" in model ? (model.fallback ?? undefined) : undefined,
    targets: "targets" in model ? model.targets : undefined,
    shadow: "shadow" in model ? (model.shadow ?? undefined) : undefined,
    comparison: "comparison" in model ? (model.comparison ?? undefined) : undefined,
    shutdownDate: model.shutdown_date ?? undefined,
    pricing: "pricing" in model ? model.pricing : null,
  };
}

/** A caller learns whether a model is failing, and nothing of its targets. */
function healthOf({ status, failing_since: since }: Schemas["Model"]): ShownModel["health"] {
  return status === "failing" ? { state: "failing", failing_since: since ?? null, served_by: [] } : undefined;
}
