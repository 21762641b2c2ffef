/** A line of a batch's error file. */
export interface ErrorLine {
  readonly customId: string;
  readonly code: string;
  readonly message: string;
  /** Absent if the line has not run. */
  readonly requestId?: string;
}

/** Reads lines of an error file. A line of another form is left out: the file itself can be saved. */
export function readErrorLines(lines: readonly string[]): ErrorLine[] {
  return lines.flatMap((line) => {
    const value = parse(line);
    const response = fieldOf(value, "response");
    // A line that did not run has its error beside the response, and a refused one in the body of the response.
    const error = fieldOf(value, "error") ?? fieldOf(fieldOf(response, "body"), "error");
    const customId = fieldOf(value, "custom_id");
    const message = fieldOf(error, "message");
    if (typeof customId !== "string" || typeof message !== "string") return [];
    const code = fieldOf(error, "code") ?? fieldOf(response, "status_code");
    const requestId = fieldOf(response, "request_id");
    return [
      {
        customId,
        code: String(code ?? "error"),
        message,
        ...(typeof requestId === "string" && { requestId }),
      },
    ];
  });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** `undefined` for a field that is absent or `null`. */
function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name] ?? undefined;
}
