import type { components } from "@model-gateway/client";
import { typedCommand } from "@model-gateway/domain/typed-command";
import { CommandError } from "./command-error.js";
import type { RemoteCaller } from "./remote-gateway.js";

interface ModelChoice {
  readonly type: components["schemas"]["Model"]["type"];
  /** The value of `--model`. */
  readonly asked: string | undefined;
}

/** The model of `--model`, else the first one of a type that is ready. The gateway checks the id that was asked for. */
export async function chooseModel(caller: RemoteCaller, { type, asked }: ModelChoice): Promise<string> {
  if (asked !== undefined) return asked;
  const models = await listModels(caller);
  const found = findModel(models, type);
  if (found !== undefined) return found.id;
  const some = models.some((model) => model.type === type);
  throw new CommandError(
    some
      ? `No ${type} model is ready. ${typedCommand("status")} says why.`
      : `The gateway has no ${type} model that this key may call. ${typedCommand("models")} lists all.`,
  );
}

export async function listModels(caller: RemoteCaller): Promise<readonly components["schemas"]["Model"][]> {
  const { data } = await caller.call((client, options) => client.listModels(options));
  return data.data;
}

/** The first one that can be called. A pattern is not an id. */
export function findModel(
  models: readonly components["schemas"]["Model"][],
  type: ModelChoice["type"],
): components["schemas"]["Model"] | undefined {
  return models.find(
    (model) =>
      model.type === type &&
      (model.status === "ready" || model.status === "degraded") &&
      model.is_pattern !== true,
  );
}
