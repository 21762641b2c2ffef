import { type ReactNode, useEffect, useState } from "react";
import { Icon } from "./icons.js";

interface CopyButtonProps {
  /** A long text is made when it is asked for. */
  readonly text: string | (() => string);
  readonly label: string;
}

/** A button that copies a text and says so. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [copied, copy] = useCopy(text);
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={copy}>
      <Icon name={copied ? "check" : "copy"} size={16} />
      <span role="status" className="visually-hidden">
        {copied ? "Copied" : ""}
      </span>
    </button>
  );
}

/** The same with words, for the main thing that a dialog is for. */
export function CopyTextButton({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  const [copied, copy] = useCopy(text);
  return (
    <button type="button" className="button" onClick={copy}>
      <Icon name={copied ? "check" : "copy"} size={16} />
      {children}
      <span role="status" className="visually-hidden">
        {copied ? "Copied" : ""}
      </span>
    </button>
  );
}

/** Whether the text was copied just now, and what copies it. */
function useCopy(text: CopyButtonProps["text"]): readonly [boolean, () => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  return [copied, () => void copyText(typeof text === "string" ? text : text()).then(setCopied)];
}

interface CopyIdProps {
  readonly id: string;
  readonly what: string;
  /** The place of the thing with this id. */
  readonly link?: string;
}

/** An id in monospace with a button that copies it. */
export function CopyId({ id, what, link }: CopyIdProps) {
  return (
    <span className="copy-id">
      <span>{link === undefined ? id : <a href={link}>{id}</a>}</span>
      <CopyButton text={id} label={`Copy the id of ${what}`} />
    </span>
  );
}

/** The clipboard of the browser needs https or this machine. Elsewhere a hidden field does it. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    const place = document.querySelector("dialog[open]") ?? document.body;
    place.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}
