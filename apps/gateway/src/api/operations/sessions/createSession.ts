import type { Handler } from "../../../execution/handler.js";
import type { RequestContext } from "../../../execution/request-context.js";
import type { SessionHolder } from "../../../sessions/sessions.js";
import { describeSession, type SessionHandlerServices } from "../../documents/Session.js";

export function createSession(services: SessionHandlerServices): Handler<"createSession"> {
  return async ({ context }) => {
    const { session, text } = await services.sessions.create(holderOf(context));
    return { body: { ...describeSession(session, services), value: text } };
  };
}

function holderOf({ key, operator }: RequestContext): SessionHolder {
  if (operator !== undefined) return { operator };
  if (key !== undefined) return { key };
  throw new Error("A request of nobody reached an operation on sessions.");
}
