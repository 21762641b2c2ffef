import { useEffect, useState, useSyncExternalStore } from "react";
import type { Connection } from "./connection.js";

/** Says that the gateway is unreachable, and when it is retried. */
export function UnreachableBar({ connection }: { readonly connection: Connection }) {
  const { isUnreachable, nextTryAt } = useSyncExternalStore(connection.subscribe, connection.read);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isUnreachable) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [isUnreachable]);
  if (!isUnreachable) return null;
  const seconds = Math.max(0, Math.ceil((nextTryAt - now) / 1000));
  return (
    <div className="unreachable">
      <span role="alert">The gateway does not answer.</span>
      <span>{seconds === 0 ? "Trying again now." : `Trying again in ${seconds} s.`}</span>
      <button type="button" className="button" onClick={() => void connection.tryNow()}>
        Try now
      </button>
    </div>
  );
}
