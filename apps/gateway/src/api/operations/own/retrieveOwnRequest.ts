import type { Handler } from "../../../execution/handler.js";
import { type OwnKeyHandlerServices, ownKeyOf } from "../../documents/OwnKey.js";
import { describeOwnRequest } from "../../documents/RequestRecord.js";
import { hideModel, mayNameAs } from "../../own-models.js";
import { requestNotFound } from "../retrieveRequest.js";

export function retrieveOwnRequest({
  ledger,
  catalog,
}: Pick<OwnKeyHandlerServices, "ledger" | "catalog">): Handler<"retrieveOwnRequest"> {
  return async ({ parameters: { request_id: id }, context }) => {
    const key = ownKeyOf(context);
    const row = await ledger.find(id);
    // The same error for another key's request, so that a caller learns nothing about it.
    if (row === undefined || row.keyId !== key.id) throw requestNotFound(id);
    return { body: describeOwnRequest(hideModel(row, mayNameAs(key, catalog))) };
  };
}
