import type { Handler } from "../../../execution/handler.js";
import type { SessionHandlerServices } from "../../documents/Session.js";
import { sessionOf } from "./retrieveSession.js";

export function endSession({ sessions }: Pick<SessionHandlerServices, "sessions">): Handler<"endSession"> {
  return async ({ context }) => {
    const { id } = sessionOf(context);
    await sessions.end(id);
    return { body: { object: "session", id, ended: true } };
  };
}
