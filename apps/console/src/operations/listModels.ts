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
  readonly status: Schemas["ModelStatus"];
  readonly statusReason: string | undefined;
  readonly embedding: Schemas["EmbeddingCapabilities"] | undefined;
  readonly image: Schemas["ImageCapabilities"] | undefined;
  /** Since when none of its targets works. Undefined if one does. */
  readonly failingSince: number | undefined;
  /** For an operator: the targets that serve its requests now. */
  readonly servedBy: Schemas["ModelHealth"]["served_by"];
  /** The model that serves its requests while none of its targets works. */
  readonly fallback: string | undefined;
  readonly targets: readonly Schemas["AdminTarget"][] | undefined;
  readonly shadow: Schemas["ModelShadow"] | undefined;
  /** The last comparison of its targets, for an operator. */
  readonly comparison: Schemas["SpaceComparison"] | undefined;
  /** The day of its announced end. */
  readonly shutdownDate: string | undefined;
  /** For a developer. An operator sees the facts of each target. */
  readonly facts: Schemas["Model"]["facts"];
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
    status: model.status,
    statusReason: model.status === "unavailable" ? (model.status_reason ?? undefined) : undefined,
    embedding: model.embedding,
    image: model.image,
    failingSince: ("health" in model ? model.health.failing_since : model.failing_since) ?? undefined,
    servedBy: "health" in model ? model.health.served_by : [],
    fallback: "fallback" in model ? (model.fallback ?? undefined) : undefined,
    targets: "targets" in model ? model.targets : undefined,
    shadow: "shadow" in model ? (model.shadow ?? undefined) : undefined,
    comparison: "comparison" in model ? (model.comparison ?? undefined) : undefined,
    shutdownDate: model.shutdown_date ?? undefined,
    facts: "facts" in model ? model.facts : null,
    pricing: "pricing" in model ? model.pricing : null,
  };
}
