import "@model-gateway/web/tokens.css";
import "@model-gateway/web/header.css";
import "./look/base.css";
import "./look/frame.css";
import "./look/parts.css";
import "./look/forms.css";
import "./look/keys.css";
import "./look/playground.css";
import "./look/usage.css";
import "./look/failure.css";
import "./look/images.css";
import "./look/day-strip.css";
import "./look/similarity.css";
import "./look/targets.css";
import "./look/jobs.css";
import { unwrap } from "@model-gateway/client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, useEffect, useMemo, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { Frame } from "./frame.js";
import { EventRefresher } from "./operations/follow-events.js";
import { KeptImages } from "./playground/images/results/kept-images.js";
import { followLinks } from "./routes/address.js";
import { Connection } from "./session/connection.js";
import { LiveEvents } from "./session/live-events.js";
import { pause } from "./session/pause.js";
import { createKeyClient, createSessionClient, gatewayRoot } from "./session/session-client.js";
import { type SignedIn, SignedInContext } from "./session/session-context.js";
import { SessionStore } from "./session/session-store.js";
import { SharedSession } from "./session/shared-session.js";
import { SignIn } from "./session/sign-in.js";
import { followSignInLink } from "./session/sign-in-link.js";
import { SiteBar } from "./session/site-bar.js";
import { applyTheme, readTheme } from "./session/theme.js";
import { UnreachableBar } from "./session/unreachable-bar.js";
import { tabVisibility } from "./session/visibility.js";

/** The composition root: the session, its client, and the query cache. */

const queries = new QueryClient({
  defaultOptions: {
    // The bar on top retries when the gateway is unreachable. A refusal would only repeat.
    queries: { retry: false, staleTime: 5000 },
    mutations: { retry: false },
  },
});
const refresher = new EventRefresher(queries);
const store = new SessionStore();
/** Behind a path prefix, other programs may share the origin. They could read the channel. */
const shared =
  new URL(gatewayRoot).pathname === "/"
    ? new SharedSession(store, new BroadcastChannel("model-gateway.session"), () => leave(() => store.end()))
    : undefined;
/** How long a new tab waits for the others before it shows the sign-in. */
const askMs = 150;
const connection = new Connection(
  () => createKeyClient("").checkHealth(),
  () => void queries.invalidateQueries(),
);

function Console() {
  const { session, isOver, link } = useSyncExternalStore(store.subscribe, store.read);
  const signedIn = useMemo(() => {
    if (session === undefined) return undefined;
    const onExpired = () => leave(() => store.expire());
    const client = createSessionClient(session.value, {
      onExpired,
      onUnreachable: () => connection.markUnreachable(),
    });
    const live = new LiveEvents({
      open: async (signal) => unwrap(await client.streamEvents({}, { signal })),
      onEvent: refresher.onEvent,
      onMissed: refresher.refreshAll,
      onExpired,
      visibility: tabVisibility,
      pause,
    });
    const signOut = () => {
      // If the gateway is unreachable, the session still ends by itself.
      void client.endSession().catch(() => undefined);
      shared?.end(session);
      leave(() => store.end());
    };
    return { session, client, live, signOut } satisfies SignedIn;
  }, [session]);
  useEffect(() => {
    // Only operators receive events. A developer's pages are not refreshed automatically.
    if (signedIn?.session.kind === "operator") return signedIn.live.start();
  }, [signedIn]);
  return (
    <>
      <UnreachableBar connection={connection} />
      {signedIn === undefined ? (
        <>
          <SiteBar />
          <SignIn isOver={isOver} link={link} onSignedIn={(opened) => store.begin(opened)} />
        </>
      ) : (
        <SignedInContext value={signedIn}>
          <KeptImages>
            <Frame />
          </KeptImages>
        </SignedInContext>
      )}
    </>
  );
}

function isSignedOut(): boolean {
  const { session, link } = store.read();
  return session === undefined && link !== "pending";
}

/** Drops cached data, so that the next person does not see it. */
function leave(end: () => void): void {
  end();
  queries.clear();
}

applyTheme(readTheme());
followLinks();
void followSignInLink(store);
// A link that is opened in this tab does not load the page again.
addEventListener("hashchange", () => void followSignInLink(store));
if (isSignedOut()) await shared?.ask(askMs);
// Somebody may have signed in elsewhere in the meantime.
tabVisibility.subscribe(() => {
  if (!tabVisibility.isHidden() && isSignedOut()) void shared?.ask(0);
});
const root = document.getElementById("root");
if (root === null) throw new Error("The page has no place for the console.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Console />
    </QueryClientProvider>
  </StrictMode>,
);
