import type { Schemas } from "@model-gateway/domain/operations";
import type { Handler } from "../../execution/handler.js";

/** Opens an upstream for one call. Built by `app/try-upstream.ts`. */
export type TryUpstream = (
  request: Schemas["TryUpstreamRequest"],
  signal: AbortSignal,
) => Promise<Schemas["UpstreamTrial"]>;

export interface TrialHandlerServices {
  readonly tryUpstream: TryUpstream;
}

export function tryUpstream({ tryUpstream: run }: TrialHandlerServices): Handler<"tryUpstream"> {
  return async ({ body, context }) => ({ body: await run(body, context.signal) });
}
