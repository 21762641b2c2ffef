import { typedCommand } from "@model-gateway/domain/typed-command";
import { Sessions } from "../../sessions/sessions.js";
import { SignInAttempts } from "../../sessions/sign-in-attempts.js";
import { SignInCodes } from "../../sessions/sign-in-codes.js";
import type { Foundation } from "./foundation.js";
import type { KeyService } from "./keys.js";
import { defineModule } from "./module.js";

const timeoutMs = 5000;

/** Sessions, codes for the console link on a terminal, and the attempts to begin a session. */
export const sessions = defineModule({
  name: "sessions",
  open: ({ storage, keys, log, siblings, now }: Foundation & { readonly keys: KeyService }) => {
    const shared = {
      store: storage.sessions,
      digest: keys.digest,
      timeout: () => AbortSignal.timeout(timeoutMs),
      operators: keys.operators,
      now: Date.now,
    };
    const begun = new Sessions({
      ...shared,
      findKey: (id) => keys.ring.findById(id),
      publishEnd: async () => siblings?.ask("sessions"),
    });
    siblings?.answer("sessions", () => begun.forget());
    const codes = new SignInCodes({
      ...shared,
      onRefused: () =>
        log.warn(
          `A console link was refused, because it was used already or has expired. Get a new one (${typedCommand("link")}), or sign in with the admin key.`,
        ),
    });
    return { services: { sessions: { sessions: begun, codes, attempts: new SignInAttempts(now) } } };
  },
});
