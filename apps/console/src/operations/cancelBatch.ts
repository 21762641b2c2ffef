import type { GatewayClient, Result } from "@model-gateway/client";
import { useSignedIn } from "../session/session-context.js";
import type { ShownBatch } from "./retrieveBatch.js";
import { useChange } from "./use-change.js";

export function useCancelBatch() {
  const isOperator = useSignedIn().session.kind === "operator";
  return useChange(
    (client: GatewayClient, batch: string): Promise<Result<ShownBatch>> =>
      isOperator ? client.cancelAnyBatch(batch) : client.cancelBatch(batch),
    ["listAllBatches", "listBatches", "retrieveAnyBatch", "retrieveBatch"],
  );
}
