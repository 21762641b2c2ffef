import type { Handler } from "../../../execution/handler.js";
import type { RequestContext } from "../../../execution/request-context.js";
import { describeSession, type SessionHandlerServices } from "../../documents/Session.js";

export function retrieveSession(services: SessionHandlerServices): Handler<"retrieveSession"> {
  return async ({ context }) => ({ body: describeSession(sessionOf(context), services) });
}

export function sessionOf({ session }: RequestContext): NonNullable<RequestContext["session"]> {
  if (session === undefined) throw new Error("A request without a session reached an operation on sessions.");
  return session;
}
