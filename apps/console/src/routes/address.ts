import { useMemo, useSyncExternalStore } from "react";

/** A place in the console. It is kept behind the `#`, so no filter and no name of a key reaches an access log. */
export interface Address {
  /** Begins with a slash: `/usage`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The address of now; the caller is rendered again when it changes. */
export function useAddress(): Address {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => parseAddress(hash), [hash]);
}

export function parseAddress(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split(/\?(.*)/s, 2);
  return { path: `/${path}`, query: new URLSearchParams(query) };
}

/** The `href` of a console page. Filters without a value are left out. */
export function linkTo(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") parameters.set(name, value);
  }
  const text = parameters.toString();
  return `#${path}${text && `?${text}`}`;
}

/** Opens a place. `replace` leaves no entry in the history, for filters that change letter by letter. */
export function goTo(link: string, { replace = false }: { replace?: boolean } = {}): void {
  if (!replace) {
    location.hash = link;
    return;
  }
  history.replaceState(history.state, "", link);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Changes some filters of the address and keeps the others. */
export function changeQuery(
  { path, query }: Address,
  changes: Readonly<Record<string, string | undefined>>,
): void {
  goTo(linkTo(path, { ...Object.fromEntries(query), ...changes }), { replace: true });
}

function subscribe(onChange: () => void): () => void {
  addEventListener("hashchange", onChange);
  return () => removeEventListener("hashchange", onChange);
}
