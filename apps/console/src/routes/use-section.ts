import { type RefObject, useEffect, useRef } from "react";
import { useAddress } from "./address.js";

/**
 * Scrolls to a part of the page while the address names it, as in `section=doctor`.
 *
 * @param subject What the part shows. A link to another one scrolls again.
 */
export function useSection<E extends HTMLElement>(name: string, subject = ""): RefObject<E | null> {
  const part = useRef<E>(null);
  const isWanted = useAddress().query.get("section") === name;
  useEffect(() => {
    if (!isWanted) return;
    // The page scrolls to its top when it opens, which is done by the next frame.
    const frame = requestAnimationFrame(() => part.current?.scrollIntoView({ block: "start" }));
    return () => cancelAnimationFrame(frame);
  }, [isWanted, subject]);
  return part;
}
