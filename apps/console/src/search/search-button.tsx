import { useEffect, useState } from "react";
import { Icon } from "../parts/icons.js";
import { useAddress } from "../routes/address.js";
import type { Searched } from "./find-places.js";
import { SearchDialog } from "./search-dialog.js";

/**
 * Opens the search, as Ctrl-K and ⌘K do on every page. The dialog is not loaded on demand: people type on at once, and
 * letters that come before it are lost.
 */
export function SearchButton({ pages }: Pick<Searched, "pages">) {
  const [openedAt, setOpenedAt] = useState<string>();
  const open = () => setOpenedAt(location.href);
  const close = () => setOpenedAt(undefined);
  const address = useAddress();
  // Back leads to another page, and the dialog does not stay above it. A change before it was opened may come later.
  useEffect(() => setOpenedAt((at) => (at === location.href ? at : undefined)), [address]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      // A dialog that is open may hold text that was not saved. A sheet only shows something.
      if (document.querySelector("dialog[open]:not(.sheet)") === null) setOpenedAt(location.href);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <>
      <button type="button" className="button search-button" onClick={open}>
        <Icon name="search" size={16} />
        <span>Search</span>
        <kbd>Ctrl K</kbd>
      </button>
      {openedAt !== undefined && <SearchDialog pages={pages} onClose={close} />}
    </>
  );
}
