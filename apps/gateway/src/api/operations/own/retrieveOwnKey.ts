import type { Handler } from "../../../execution/handler.js";
import { describeOwnKey, type OwnKeyHandlerServices, ownKeyOf } from "../../documents/OwnKey.js";

export function retrieveOwnKey(services: OwnKeyHandlerServices): Handler<"retrieveOwnKey"> {
  return async ({ context }) => ({ body: await describeOwnKey(ownKeyOf(context), services) });
}
