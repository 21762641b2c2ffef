import type { GatewayError } from "@model-gateway/domain/errors";
import { errorFromReply, type ReadError } from "./upstream-errors.js";

/** The status that a provider sends with an error, by the error's own word. The first that fits counts. */
export type StatusByWord = readonly (readonly [words: RegExp, status: number])[];

/**
 * The error in a reply whose status says that all is well. It is read as one with the status that its word usually has:
 * an unknown word is a failure of the upstream.
 *
 * @param document The error in the form in which the provider's other errors come.
 */
export function errorInReply(
  document: object,
  word: string,
  { read, statuses }: { readonly read: ReadError; readonly statuses: StatusByWord },
): GatewayError {
  const status = statuses.find(([words]) => words.test(word))?.[1] ?? 500;
  const reply = { status, headers: {}, body: JSON.stringify(document) };
  return errorFromReply(reply, read).with({ upstreamStatus: 200 });
}
