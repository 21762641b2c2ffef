import { GatewayRequestError } from "@model-gateway/client";
import type { ReactNode } from "react";
import { CopyId } from "./copy.js";
import { Message } from "./message.js";

/** Grey bars in the shape of the content. They appear after 150 ms: most responses are faster. */
export function Loading({ shape = "table" }: { readonly shape?: "table" | "cards" | "tiles" }) {
  const count = { table: 6, cards: 4, tiles: 5 }[shape];
  return (
    <div role="status">
      <span className="visually-hidden">Loading</span>
      <div className={`bones ${shape}-shape`} aria-hidden="true">
        {Array.from({ length: count }, (_, index) => (
          <div className="bone" key={index} />
        ))}
      </div>
    </div>
  );
}

/** Nothing to show: one sentence and the next step. */
export function Empty({ children, action }: { readonly children: ReactNode; readonly action?: ReactNode }) {
  return (
    <div className="empty">
      <p>{children}</p>
      {action !== undefined && <div className="row">{action}</div>}
    </div>
  );
}

interface FaultProps {
  readonly error: Error;
  readonly onRetry?: (() => void) | undefined;
}

/** The gateway's error message, with the details needed to ask about it. */
export function Fault({ error, onRetry }: FaultProps) {
  const fault = error instanceof GatewayRequestError ? error : undefined;
  return (
    <div className="fault" role="alert">
      <p>
        <Message text={fault === undefined ? "The gateway did not respond." : fault.message} />
      </p>
      <div className="row small">
        {fault !== undefined && <code>{fault.code}</code>}
        {fault?.requestId != null && <CopyId id={fault.requestId} what="the request" />}
        {onRetry !== undefined && (
          <button type="button" className="button" onClick={onRetry}>
            Try again
          </button>
        )}
      </div>
    </div>
  );
}

/** The fields of a `useQuery` result that `Loaded` needs. */
export interface Loadable<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

interface LoadedProps<Data> {
  readonly query: Loadable<Data>;
  readonly shape?: "table" | "cards" | "tiles";
  readonly children: (data: Data) => ReactNode;
}

/** The states of a page: loading, failed, loaded. After a failure the last content stays, marked as old. */
export function Loaded<Data>({ query, shape, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query;
  if (error !== null)
    return (
      <>
        <Fault error={error} onRetry={() => void refetch()} />
        {data !== undefined && <div className="stack old">{children(data)}</div>}
      </>
    );
  if (data === undefined) return <Loading {...(shape && { shape })} />;
  return children(data);
}
