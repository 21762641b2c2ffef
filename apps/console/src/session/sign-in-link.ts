import { openSession } from "./open-session.js";
import type { SessionStore } from "./session-store.js";

/**
 * Signs in with the one-time code of a link, `#code=…`, as the gateway prints it on a terminal. The code leaves the
 * address and the history of the tab before anything else happens: it must not be copied, restored or sent on.
 */
export async function followSignInLink(store: SessionStore): Promise<void> {
  const code = takeCode();
  if (code === undefined) return;
  store.awaitLink();
  try {
    store.begin(await openSession(code));
  } catch (failure) {
    store.refuseLink(failure instanceof Error ? failure : new Error(String(failure)));
  }
}

function takeCode(): string | undefined {
  const [, code] = /^#code=([^#]*)$/.exec(location.hash) ?? [];
  if (code === undefined) return undefined;
  history.replaceState(null, "", `${location.pathname}${location.search}`);
  return code;
}
