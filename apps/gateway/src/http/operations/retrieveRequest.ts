import { GatewayError } from "../../errors.js";
import type { LedgerStore } from "../../usage/ledger/ledger-store.js";
import type { Handler } from "../handler.js";
import { describeRequest } from "../schemas/RequestRecord.js";

export function retrieveRequest(ledger: Pick<LedgerStore, "find">): Handler<"retrieveRequest"> {
  return async ({ parameters: { request_id: id } }) => {
    const row = await ledger.find(id);
    if (row === undefined) throw requestNotFound(id);
    return { body: describeRequest(row) };
  };
}

function requestNotFound(id: string): GatewayError {
  return new GatewayError(
    "request_not_found",
    `There is no request \`${id.slice(0, 64)}\`. A request is listed some seconds after its response, and until its retention ends.`,
    { param: "request_id" },
  );
}
