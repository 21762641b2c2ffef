import type { Handler } from "../../handler.js";
import { type OwnKeyHandlerServices, ownKeyOf } from "../../schemas/OwnKey.js";
import { describeOwnRequest } from "../../schemas/RequestRecord.js";
import { requestNotFound } from "../retrieveRequest.js";

export function retrieveOwnRequest({
  ledger,
}: Pick<OwnKeyHandlerServices, "ledger">): Handler<"retrieveOwnRequest"> {
  return async ({ parameters: { request_id: id }, context }) => {
    const row = await ledger.find(id);
    // The same error for another key's request, so that a caller learns nothing about it.
    if (row === undefined || row.keyId !== ownKeyOf(context).id) throw requestNotFound(id);
    return { body: describeOwnRequest(row) };
  };
}
