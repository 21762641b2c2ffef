import type { Logger } from "pino";
import type { Siblings } from "../domain/siblings.js";
import { typedCommand } from "../domain/typed-command.js";
import { Sessions } from "../sessions/sessions.js";
import { SignInAttempts } from "../sessions/sign-in-attempts.js";
import { SignInCodes } from "../sessions/sign-in-codes.js";
import type { Storage } from "../storage/open-storage.js";
import type { KeyService } from "./key-service.js";

/** Sessions, and the attempts to begin one. */
export interface SessionService {
  readonly sessions: Sessions;
  /** For the console link on a terminal. */
  readonly codes: SignInCodes;
  readonly attempts: SignInAttempts;
}

interface SessionServiceOptions {
  readonly storage: Storage;
  readonly keys: KeyService;
  readonly log: Logger;
  /** All workers of this gateway, where there are several. */
  readonly siblings?: Siblings | undefined;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

const timeoutMs = 5000;

export function openSessionService(options: SessionServiceOptions): SessionService {
  const { storage, keys, log, siblings, now } = options;
  const shared = {
    store: storage.sessions,
    digest: keys.digest,
    timeout: () => AbortSignal.timeout(timeoutMs),
    adminKeyMark: keys.adminKey.mark,
    now: Date.now,
  };
  const sessions = new Sessions({
    ...shared,
    findKey: (id) => keys.ring.findById(id),
    publishEnd: async () => siblings?.ask("sessions"),
  });
  siblings?.answer("sessions", () => sessions.forget());
  const codes = new SignInCodes({
    ...shared,
    onRefused: () =>
      log.warn(
        `A console link was refused, because it was used already or has expired. Get a new one (${typedCommand("link")}), or sign in with the admin key.`,
      ),
  });
  return { sessions, codes, attempts: new SignInAttempts(now) };
}
