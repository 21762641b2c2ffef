import { type Address, changedLink, changeQuery, goTo, useAddress } from "./address.js";

/** A sheet or a dialog that is open while the address names its content, as in `request=req_1`. */
export interface Sheet {
  /** The id of the open content. */
  readonly open: string | undefined;
  /** The `href` that opens it: one step of the history, so that Back closes it. */
  readonly link: (id: string) => string;
  /** Shows something else in its place. */
  readonly show: (id: string) => void;
  readonly close: () => void;
}

/** @param name Its filter in the address. */
export function useSheet(name: string): Sheet {
  const address = useAddress();
  return {
    open: address.query.get(name) ?? undefined,
    link: (id) => changedLink(address, { [name]: id }),
    show: (id) => changeQuery(address, { [name]: id }),
    close: () => closeSheet(address, name),
  };
}

/**
 * Goes back if the sheet was opened on this page. Otherwise a link led here, and going back would leave the page: the
 * sheet is taken out of the address instead.
 */
export function closeSheet(address: Address, name: string): void {
  const below = changedLink(address, { [name]: undefined });
  if (wasOpenedFrom(below, history.state)) {
    // A second click before the browser has gone back must not go back again.
    history.replaceState(null, "", location.hash);
    history.back();
  } else goTo(below, { replace: true });
}

/** Whether a link or a button of the console has led here. `state` is that of the entry in the history. */
export function isOpenedHere(state: unknown): boolean {
  return typeof state === "object" && state !== null && "from" in state;
}

/** Whether the entry before this one in the history is the given place. `state` is that of the entry. */
export function wasOpenedFrom(link: string, state: unknown): boolean {
  return isOpenedHere(state) && (state as { from: unknown }).from === link;
}
