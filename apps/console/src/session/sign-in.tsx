import { GatewayRequestError, unwrap } from "@model-gateway/client";
import { type FormEvent, useState } from "react";
import icon from "../look/icon.svg";
import { TextField } from "../parts/fields.js";
import { Fault } from "../parts/states.js";
import { createKeyClient } from "./session-client.js";
import type { StoredSession } from "./session-store.js";

interface SignInProps {
  readonly isOver: boolean;
  readonly onSignedIn: (session: StoredSession) => void;
}

/** One field takes the admin key or a caller's key. It is exchanged for a session at once. */
export function SignIn({ isOver, onSignedIn }: SignInProps) {
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

  return (
    <main className="sign-in">
      <form className="panel stack" onSubmit={(event) => void submit(event)}>
        <div>
          <div className="brand">
            <img src={icon} alt="" />
            Model Gateway
          </div>
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
        <TextField
          label="Key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          autoFocus
          required
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        {error !== undefined && <SignInFault error={error} />}
        <button type="submit" className="button primary" disabled={isBusy || key.trim() === ""}>
          {isBusy ? "Signing in…" : "Sign in"}
        </button>
      </form>
    </main>
  );
}

async function openSession(key: string): Promise<StoredSession> {
  const created = unwrap(await createKeyClient(key).createSession());
  return {
    value: created.value,
    kind: created.kind,
    name: created.name,
    expiresAt: created.expires_at,
    version: created.gateway_version,
  };
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
