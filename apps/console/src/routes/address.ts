import { useMemo, useSyncExternalStore } from "react";

/** A place in the console. It is kept behind the `#`, so no filter and no name of a key reaches an access log. */
export interface Address {
  /** Begins with a slash: `/usage`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Filters by name. Those without a value are left out of the address. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The address of now; the caller is rendered again when it changes. */
export function useAddress(): Address {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => parseAddress(hash), [hash]);
}

export function parseAddress(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split(/\?(.*)/s, 2);
  return { path: `/${path}`, query: new URLSearchParams(query) };
}

/** The `href` of a console page. */
export function linkTo(path: string, query: Query = {}): string {
  return changedLink({ path, query: new URLSearchParams() }, query);
}

/** The `href` of the same page with some filters changed. The others stay. */
export function changedLink({ path, query }: Address, changes: Query): string {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    const values = (typeof value === "string" ? [value] : (value ?? [])).filter((one) => one !== "");
    const [first, ...others] = values;
    if (first === undefined) parameters.delete(name);
    else parameters.set(name, first);
    for (const other of others) parameters.append(name, other);
  }
  const text = parameters.toString();
  return `#${path}${text && `?${text}`}`;
}

/**
 * Opens a place. The entry of the history names the place that it was opened from. `replace` leaves no entry, for filters
 * that change letter by letter.
 */
export function goTo(link: string, { replace = false }: { replace?: boolean } = {}): void {
  if (link === location.hash) return;
  if (replace) history.replaceState(history.state, "", link);
  else history.pushState({ from: location.hash }, "", link);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Changes some filters of the address and keeps the others. */
export function changeQuery(address: Address, changes: Query): void {
  goTo(changedLink(address, changes), { replace: true });
}

/** Makes every link to a console page go through `goTo`. Clicks that open a tab or a window are left to the browser. */
export function followLinks(): void {
  document.addEventListener("click", (event) => {
    const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (event.defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
    const link = target instanceof Element ? target.closest("a")?.getAttribute("href") : undefined;
    if (!link?.startsWith("#/")) return;
    event.preventDefault();
    goTo(link);
  });
}

function subscribe(onChange: () => void): () => void {
  addEventListener("hashchange", onChange);
  return () => removeEventListener("hashchange", onChange);
}
