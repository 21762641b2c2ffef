import { errorOf } from "@model-gateway/domain/errors";
import type { Handler } from "../../../execution/handler.js";
import type { SessionHandlerServices } from "../../documents/Session.js";

export function createSignInCode({
  codes,
}: Pick<SessionHandlerServices, "codes">): Handler<"createSignInCode"> {
  return async ({ context }) => {
    // A session that could create its successor would never end.
    if (context.session !== undefined) throw errorOf("admin_key_required", {});
    const { text, expiresAt } = await codes.create();
    return {
      body: { object: "sign_in_code", value: text, expires_at: Math.floor(expiresAt / 1000) },
    };
  };
}
