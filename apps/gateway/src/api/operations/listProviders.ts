import type { Schemas } from "@model-gateway/domain/operations";
import type { Handler } from "../../execution/handler.js";

export interface ProviderHandlerServices {
  /** Described by `app/describe-providers.ts`. */
  readonly providers: () => Schemas["Provider"][];
}

export function listProviders({ providers }: ProviderHandlerServices): Handler<"listProviders"> {
  return async () => ({ body: { object: "list", data: providers(), next_cursor: null } });
}
