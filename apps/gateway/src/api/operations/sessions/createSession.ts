import type { Handler } from "../../../execution/handler.js";
import { describeSession, type SessionHandlerServices } from "../../documents/Session.js";

export function createSession(services: SessionHandlerServices): Handler<"createSession"> {
  return async ({ context }) => {
    const { session, text } = await services.sessions.create(context.key);
    return { body: { ...describeSession(session, services), value: text } };
  };
}
