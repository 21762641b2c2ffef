import { meteredOperation } from "@model-gateway/domain/operations";
import { documentedOperations } from "./documented.js";

export interface CodeRecorder {
  /** Reads lines of the log. */
  note(lines: readonly string[]): void;
  /** Throws if an operation has failed with a code that the spec does not list for it. */
  check(): void;
}

/** Compares the errors in a gateway's log with the spec's `x-error-codes`. */
export function createCodeRecorder(): CodeRecorder {
  const seen = new Set<string>();
  return {
    note: (lines) => {
      for (const line of lines) {
        if (!line.includes('"errorCode":')) continue;
        const { msg, operation, errorCode } = JSON.parse(line);
        // A caller that leaves gets no response.
        if (msg !== "request" || operation === undefined || errorCode === "caller_left") continue;
        seen.add(`${operation} ${errorCode}`);
      }
    },
    check: () => {
      const unlisted = [...seen].filter((one) => !listed.has(one));
      if (unlisted.length === 0) return;
      throw new Error(
        `The spec does not list these codes for these operations: ${unlisted.join(", ")}. Add each to x-error-codes of the operation in spec/paths, or of its response in spec/error-responses.yaml, and run npm run build.`,
      );
    },
  };
}

/** The log records an operation at another API's path as the one that it aliases. */
const listed: ReadonlySet<string> = new Set(
  documentedOperations().flatMap(({ id, errorCodes }) =>
    [...errorCodes].map((code) => `${meteredOperation(id)} ${code}`),
  ),
);
