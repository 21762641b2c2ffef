import type { GatewayClient, OperationId } from "@model-gateway/client";
import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";
import type { LiveEvents } from "./live-events.js";
import type { StoredSession } from "./session-store.js";

export interface SignedIn {
  readonly session: StoredSession;
  readonly client: GatewayClient;
  readonly live: Pick<LiveEvents, "read" | "subscribe">;
  readonly signOut: () => void;
}

export const SignedInContext = createContext<SignedIn | undefined>(undefined);

/** The session of the page. */
export function useSignedIn(): SignedIn {
  const signedIn = useContext(SignedInContext);
  if (signedIn === undefined) throw new Error("A page was rendered without a session.");
  return signedIn;
}

/** Whether the session may call an operation. A page offers nothing that the gateway would refuse. */
export function useMay(operation: OperationId): boolean {
  return useSignedIn().session.operations.includes(operation);
}

/** Shows its children where the session may call an operation. */
export function May({ call, children }: { readonly call: OperationId; readonly children: ReactNode }) {
  return useMay(call) ? children : null;
}

/** The page that lists the requests of the session. */
export function useRequestsPath(): string {
  return useSignedIn().session.kind === "operator" ? "/requests" : "/key";
}

/** Whether events of the gateway arrive now. While they do not, pages ask at intervals. */
export function useIsFollowing(): boolean {
  const { live } = useSignedIn();
  return useSyncExternalStore(live.subscribe, live.read);
}
