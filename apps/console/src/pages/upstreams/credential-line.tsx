import type { Schemas } from "../../operations/schemas.js";
import { formatTime, formatTimeLeft } from "../../parts/format.js";
import { Message } from "../../parts/message.js";

type Credential = NonNullable<Schemas["UpstreamCredential"]>;

/** Where the credential of an upstream is from, when it ends, and why it could not be renewed. */
export function CredentialLine({ credential }: { readonly credential: Credential }) {
  const { source, status, expires_at, error } = credential;
  const title = expires_at === null ? undefined : formatTime(expires_at);
  return (
    <p className="small quiet" title={title}>
      {describeCredential(credential, Date.now())}, from {source}
      {error !== null && (
        <span className={status === "missing" ? "tone-bad" : "tone-warn"}>
          {" · Not renewed: "}
          <Message text={error} />
        </span>
      )}
    </p>
  );
}

export function describeCredential({ status, expires_at }: Credential, nowMs: number): string {
  if (status === "idle") return "Credential not requested yet";
  if (status === "missing") return "No valid credential";
  return expires_at === null
    ? "Credential does not expire"
    : `Credential expires in ${formatTimeLeft(expires_at, nowMs)}`;
}
