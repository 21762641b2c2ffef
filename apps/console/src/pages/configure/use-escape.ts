import { useEffect } from "react";

/** Calls back on Escape, unless something that is open or has content uses the key. */
export function useEscape(onEscape: (() => void) | undefined): void {
  useEffect(() => {
    if (onEscape === undefined) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const { target } = event;
      if (target instanceof HTMLSelectElement) return;
      if (target instanceof HTMLInputElement && (target.type === "search" || target.list !== null)) return;
      onEscape();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [onEscape]);
}
