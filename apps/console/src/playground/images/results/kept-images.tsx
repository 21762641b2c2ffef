import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from "react";
import { retrieveCost } from "../../../operations/retrieveRequest.js";
import { pause } from "../../../session/pause.js";
import { SignedInContext, useSignedIn } from "../../../session/session-context.js";
import { useMaskGuard } from "../mask/use-mask-guard.js";
import { usualBounds } from "./image-result.js";
import { ImageSession, type ImageSessionState, isMaskUnsaved } from "./image-session.js";
import { runImages } from "./run-images.js";

const ImageSessionContext = createContext<ImageSession | undefined>(undefined);

/** Keeps the images of this tab until the person signs out, whichever page is open. A mask is not lost without asking. */
export function KeptImages({ children }: { readonly children: ReactNode }) {
  const signedIn = useSignedIn();
  const { client } = signedIn;
  const { kind } = signedIn.session;
  const session = useMemo(
    () =>
      new ImageSession({
        run: runImages(client),
        costOf: (id, signal) =>
          retrieveCost({
            retrieve: (options) =>
              kind === "operator"
                ? client.retrieveRequest(id, options)
                : client.retrieveOwnRequest(id, options),
            signal,
            pause,
          }),
        release: ({ url }) => URL.revokeObjectURL(url),
        bounds: usualBounds,
      }),
    [client, kind],
  );
  useEffect(() => () => session.close(), [session]);
  const isUnsaved = useSyncExternalStore(session.subscribe, () => isMaskUnsaved(session.read()));
  useAskBeforeClosing(isUnsaved);
  const { ask, dialog } = useMaskGuard(isUnsaved);
  const signOut = () => ask({ why: "Signing out ends this session.", onDiscard: signedIn.signOut });
  return (
    <SignedInContext value={{ ...signedIn, signOut }}>
      <ImageSessionContext value={session}>
        {children}
        {dialog}
      </ImageSessionContext>
    </SignedInContext>
  );
}

/** The images of this tab; the caller is rendered again when they change. */
export function useImageSession(): { readonly session: ImageSession; readonly state: ImageSessionState } {
  const session = useContext(ImageSessionContext);
  if (session === undefined) throw new Error("A page was rendered without the images of the tab.");
  return { session, state: useSyncExternalStore(session.subscribe, session.read) };
}

/** The browser asks before it closes or reloads a tab with a mask that was not sent. */
function useAskBeforeClosing(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isUnsaved]);
}
