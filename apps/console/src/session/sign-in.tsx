import { GatewayRequestError } from "@model-gateway/client";
import { type FormEvent, useState } from "react";
import { TextField } from "../parts/fields.js";
import { Fault } from "../parts/states.js";
import { openSession } from "./open-session.js";
import type { SessionState, StoredSession } from "./session-store.js";

interface SignInProps extends Pick<SessionState, "isOver" | "link"> {
  readonly onSignedIn: (session: StoredSession) => void;
}

/** One field takes the admin key or a caller's key. It is exchanged for a session at once. */
export function SignIn({ isOver, link, onSignedIn }: SignInProps) {
  const [key, setKey] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const session = await openSession(key.trim());
      setKey("");
      onSignedIn(session);
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
      setBusy(false);
    }
  };

  if (link === "pending")
    return (
      <main className="sign-in">
        <p className="panel" role="status">
          Signing in…
        </p>
      </main>
    );
  return (
    <main className="sign-in">
      <form className="panel stack" onSubmit={(event) => void submit(event)}>
        <div>
          <h1>Sign in</h1>
          <p className="quiet">
            The admin key opens everything. An API key opens the models that it may call.
          </p>
        </div>
        {isOver && (
          <p className="notice" role="status">
            Your session is over. Sign in again to continue.
          </p>
        )}
        {link !== undefined && <LinkFault error={link} />}
        <TextField
          label="Admin key or API key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          ref={takeFocus}
          required
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        {error !== undefined && <SignInFault error={error} />}
        <button type="submit" className="button primary" disabled={isBusy || key.trim() === ""}>
          {isBusy ? "Signing in…" : "Sign in"}
        </button>
        <KeyHelp />
      </form>
    </main>
  );
}

/** The browser's `autofocus` works once a document, and not after signing out. */
function takeFocus(field: HTMLInputElement | null): void {
  field?.focus();
}

/** Where to find a key, and what to do without one. */
function KeyHelp() {
  return (
    <div className="key-help small quiet">
      <p>The gateway prints these lines on its terminal when it starts:</p>
      <dl>
        <dt>Console</dt>
        <dd>
          The address of this page. With <code>#code=…</code> at its end it is a link for one sign-in, 10
          minutes: open it instead of typing a key.
        </dd>
        <dt>API key</dt>
        <dd>
          The key for this run, or <code>GATEWAY_KEY</code>. Others get theirs from the person who runs this
          gateway.
        </dd>
        <dt>Admin key</dt>
        <dd>
          Printed by the first start only. If <code>GATEWAY_ADMIN_KEY</code> or <code>adminKey</code> in the
          configuration is set, it is that one.
        </dd>
      </dl>
      <details>
        <summary>The admin key is lost</summary>
        <p>
          Set <code>GATEWAY_ADMIN_KEY</code> to a new value of 16 characters or more, and restart the gateway.
          The old key stops working. API keys stay as they are.
        </p>
        <p>
          On the gateway’s own machine, <code>npx @model-gateway/gateway link</code> prints a link for one
          sign-in, without a key.
        </p>
      </details>
    </div>
  );
}

/** A link that failed, and how to go on. */
function LinkFault({ error }: { readonly error: Error }) {
  if (!(error instanceof GatewayRequestError) || ![401, 403].includes(error.status))
    return <Fault error={error} />;
  return (
    <p className="notice" role="alert">
      {error.status === 401
        ? error.message
        : "This link works only in a browser on the gateway’s own machine. Sign in with the admin key."}{" "}
      The gateway printed the admin key at its first start. If you have lost it, set{" "}
      <code>GATEWAY_ADMIN_KEY</code> to a new one and restart.
    </p>
  );
}

function SignInFault({ error }: { readonly error: Error }) {
  if (error instanceof GatewayRequestError && error.status === 401)
    return (
      <p className="fault" role="alert">
        This gateway does not know that key.
      </p>
    );
  // A letter that no header can carry is refused by the browser, before a request is sent.
  if (error instanceof TypeError && /header/i.test(error.message))
    return (
      <p className="fault" role="alert">
        A key has only letters, digits and signs of ASCII.
      </p>
    );
  return <Fault error={error} />;
}
