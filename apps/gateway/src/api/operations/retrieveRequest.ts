import { errorOf, type GatewayError } from "@model-gateway/domain/errors";
import type { Handler } from "../../execution/handler.js";
import type { LedgerStore } from "../../usage/ledger/ledger-store.js";
import { describeRequest } from "../documents/RequestRecord.js";

export function retrieveRequest(ledger: Pick<LedgerStore, "find">): Handler<"retrieveRequest"> {
  return async ({ parameters: { request_id: id } }) => {
    const row = await ledger.find(id);
    if (row === undefined) throw requestNotFound(id);
    return { body: describeRequest(row) };
  };
}

export function requestNotFound(id: string): GatewayError {
  return errorOf("request_not_found", { id: id.slice(0, 64) }, { param: "request_id" });
}
