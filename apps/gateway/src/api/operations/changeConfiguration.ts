import type { Schemas } from "@model-gateway/domain/operations";
import type { Handler } from "../../execution/handler.js";

/**
 * Changes the configuration file. Built by `app/configuration-changes.ts`.
 *
 * @param actor Who asks: the id of a session, or `admin`.
 */
export type ChangeConfiguration = (
  change: Schemas["ChangeConfigurationRequest"],
  actor: string,
) => Promise<Schemas["ConfigurationChange"]>;

export interface ConfigurationChangeHandlerServices {
  readonly changeConfiguration: ChangeConfiguration;
}

export function changeConfiguration({
  changeConfiguration: change,
}: ConfigurationChangeHandlerServices): Handler<"changeConfiguration"> {
  return async ({ body, context }) => ({ body: await change(body, context.session?.id ?? context.caller) });
}
