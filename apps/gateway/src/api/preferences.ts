/** The preferences of a request that the gateway follows. https://www.rfc-editor.org/rfc/rfc7240 */
interface Preferences {
  /** Whether the request becomes a job. */
  readonly isAsync: boolean;
  /** How long the response may wait, in seconds. */
  readonly waitSeconds: number | undefined;
}

const none: Preferences = Object.freeze({ isAsync: false, waitSeconds: undefined });

/** Reads a `Prefer` header. Preferences that the gateway does not know, or cannot read, are ignored, as the RFC says. */
export function readPreferences(prefer: string | undefined): Preferences {
  if (prefer === undefined) return none;
  let isAsync = false;
  let waitSeconds: number | undefined;
  for (const preference of prefer.split(",")) {
    const [named = ""] = preference.split(";");
    const [name = "", value = ""] = named.split("=").map((part) => part.trim());
    if (name.toLowerCase() === "respond-async") isAsync = true;
    // The first one counts.
    if (name.toLowerCase() === "wait" && /^"?\d{1,9}"?$/.test(value))
      waitSeconds ??= Number(value.replaceAll('"', ""));
  }
  return { isAsync, waitSeconds };
}
