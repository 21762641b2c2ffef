import type { Siblings } from "../domain/siblings.js";
import { Sessions } from "../sessions/sessions.js";
import { SignInAttempts } from "../sessions/sign-in-attempts.js";
import type { Storage } from "../storage/open-storage.js";
import type { KeyService } from "./key-service.js";

/** Sessions, and the attempts to begin one. */
export interface SessionService {
  readonly sessions: Sessions;
  readonly attempts: SignInAttempts;
}

export interface SessionServiceOptions {
  readonly storage: Storage;
  readonly keys: KeyService;
  /** All workers of this gateway, where there are several. */
  readonly siblings?: Siblings | undefined;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
}

const timeoutMs = 5000;

export function openSessionService({ storage, keys, siblings, now }: SessionServiceOptions): SessionService {
  const sessions = new Sessions({
    store: storage.sessions,
    digest: keys.digest,
    timeout: () => AbortSignal.timeout(timeoutMs),
    findKey: (id) => keys.ring.findById(id),
    adminKeyMark: keys.adminKey.mark,
    publishEnd: async () => siblings?.ask("sessions"),
    now: Date.now,
  });
  siblings?.answer("sessions", () => sessions.forget());
  return { sessions, attempts: new SignInAttempts(now) };
}
