import type { GatewayError } from "@model-gateway/domain/errors";
import type { Schemas } from "@model-gateway/domain/operations";

/** Why a call of the gateway's own failed. Its request is the gateway's, so an upstream's refusal may quote it. */
export function describeProbeError({
  code,
  message,
  operatorMessage,
}: GatewayError): NonNullable<Schemas["ProbeError"]> {
  return { code, message: code === "upstream_rejected" ? message : operatorMessage };
}
