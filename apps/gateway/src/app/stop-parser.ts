import type { Socket } from "node:net";

/** Node's parser of a connection, which is not documented. Node 20, 22 and 24 call this for the head of each request. */
interface Parser {
  onIncoming: unknown;
}

/**
 * Makes the parser of a connection fail at the next request. Node hands it up to 64 KB at once, which are 3,600 requests
 * of 18 bytes and 40 MB of objects; a paused or destroyed socket has its effect only after them.
 *
 * @returns Lets the parser go on, unless it has failed.
 */
export function stopParser(socket: Socket, onFailed: () => void): () => void {
  const { parser } = socket as { readonly parser?: Parser | null };
  if (typeof parser?.onIncoming !== "function") {
    socket.destroy();
    return () => undefined;
  }
  const { onIncoming } = parser;
  parser.onIncoming = () => {
    onFailed();
    return -1;
  };
  return () => {
    // The parser of a closed connection may serve another one now.
    if ((socket as { readonly parser?: unknown }).parser === parser) parser.onIncoming = onIncoming;
  };
}
