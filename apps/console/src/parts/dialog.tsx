import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { Icon } from "./icons.js";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** A sheet opens at the right edge. */
  readonly kind?: "dialog" | "sheet";
  /** Ignores Escape and clicks outside, for content that is shown only once. */
  readonly stays?: boolean;
}

/** The browser's own dialog: it keeps the focus inside, and gives it back when it closes. */
export function Dialog({ title, onClose, children, kind = "dialog", stays = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the element leaves the page: a dialog that is gone gives no focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, through the browser's cancel event.
    <dialog
      ref={dialog}
      className={kind === "sheet" ? "sheet" : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        // React passes the event on to the dialog that this one was opened from.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!stays) onClose();
      }}
      onClick={(event) => {
        if (!stays && event.target === dialog.current && isOutside(event, dialog.current)) onClose();
      }}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        {!stays && (
          <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {children}
    </dialog>
  );
}

function isOutside(
  { clientX, clientY }: { clientX: number; clientY: number },
  element: HTMLElement,
): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
