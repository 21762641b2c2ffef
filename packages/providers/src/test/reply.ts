import type { IncomingReply } from "../http/send.js";

/** A reply of an upstream with this document. */
export function replyWith(document: unknown, headers: Readonly<Record<string, string>> = {}): IncomingReply {
  return {
    status: 200,
    headers,
    read: async (onChunk) => onChunk(Buffer.from(JSON.stringify(document))),
    chunks: () => {
      throw new Error("Not read as a stream.");
    },
  };
}
