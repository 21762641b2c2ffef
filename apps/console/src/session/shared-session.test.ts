import { afterEach, expect, test, vi } from "vitest";
import type { SessionState, StoredSession } from "./session-store.js";
import { SharedSession } from "./shared-session.js";

const session: StoredSession = {
  value: "mg_session_1",
  kind: "operator",
  name: "console:operator",
  role: "admin",
  operations: [],
  expiresAt: Date.now() / 1000 + 3600,
  version: "1.0.0",
};
/** Only a failure takes this long. */
const longMs = 60_000;
const channels: BroadcastChannel[] = [];

afterEach(() => {
  for (const channel of channels.splice(0)) channel.close();
});

/** A tab of the browser: its session, and its end of a real channel. */
function openTab(state: Partial<SessionState> = {}) {
  const tab: { state: SessionState } = { state: { session: undefined, isOver: false, ...state } };
  const channel = new BroadcastChannel("shared-session.test");
  channels.push(channel);
  const store = {
    read: () => tab.state,
    begin: (begun: StoredSession) => {
      tab.state = { session: begun, isOver: false };
    },
  };
  const shared = new SharedSession(store, channel, () => {
    tab.state = { session: undefined, isOver: false };
  });
  return { tab, shared };
}

test("a new tab gets the session of one that is signed in", async () => {
  openTab({ session });
  const { tab, shared } = openTab();

  await shared.ask(longMs);

  expect(tab.state.session).toEqual(session);
});

test("tabs that did not ask get nothing", async () => {
  openTab({ session });
  const bystander = openTab();

  await openTab().shared.ask(longMs);

  expect(bystander.tab.state.session).toBeUndefined();
});

test("without a tab that is signed in, the time runs out", async () => {
  openTab();
  const { tab, shared } = openTab();

  await shared.ask(1);

  expect(tab.state.session).toBeUndefined();
});

test("a tab that follows a sign-in link keeps the session of the link", async () => {
  openTab({ session });
  const { tab, shared } = openTab({ link: "pending" });

  await shared.ask(longMs);

  expect(tab.state.session).toBeUndefined();
});

test("a session that has expired is not taken over", async () => {
  openTab({ session: { ...session, expiresAt: 1 } });
  const { tab, shared } = openTab();

  await shared.ask(longMs);

  expect(tab.state.session).toBeUndefined();
});

test("signing out ends the session in every tab that has it, and no other session", async () => {
  const same = openTab({ session });
  const other = openTab({ session: { ...session, value: "mg_session_2" } });

  openTab().shared.end(session);

  await vi.waitFor(() => expect(same.tab.state.session).toBeUndefined());
  expect(other.tab.state.session?.value).toBe("mg_session_2");
});
