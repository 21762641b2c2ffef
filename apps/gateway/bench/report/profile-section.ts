import { byOwner, type SelfTime } from "../profile/self-times.js";
import { table } from "./markdown.js";

export const profileHeading = "## Where the time goes";

/** A CPU profile of the smallest request as two tables. */
export function profileSection(times: readonly SelfTime[]): string {
  const owners = byOwner(times).slice(0, 20);
  const functions = times.slice(0, 20);
  return [
    profileHeading,
    "",
    "A CPU profile of the gateway while it serves one-input requests, 32 at once, JSON; `npm run bench -- --profile` writes this section. A share is the self time of the code, without the functions it calls, out of the time in which the process was not idle.",
    "",
    table(
      ["share %", "where", "what it is"],
      owners.map(({ owner, share }) => [percent(share), `\`${owner}\``, meaning(owner)]),
    ),
    "",
    "The functions with the largest self time:",
    "",
    table(
      ["share %", "where", "function"],
      functions.map(({ owner, location, share }) => [percent(share), `\`${owner}\``, `\`${location}\``]),
    ),
    "",
  ].join("\n");
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

/** What the names in a profile stand for. */
const meanings: Readonly<Record<string, string>> = {
  native: "native code called from JavaScript: socket writes, hashing, copying, parsing JSON",
  "(garbage collector)": "garbage collection",
  "(program)": "Node itself, outside JavaScript",
  "main.js": "the gateway itself",
  "vector.js": "the gateway itself: vectors",
  "undici.js": "the connection to the upstream",
  wasm: "WebAssembly: undici's HTTP parser, or the vector check",
  pino: "one log line per request",
  "express.js": "routing; request and response objects",
  "express-openapi-validator.js": "validating the request against the spec",
  "ajv.js": "validating the request against the spec",
  "node:_http_server": "HTTP on the caller's side",
  "node:_http_outgoing": "HTTP on the caller's side: headers and body of the response",
  "node:_http_incoming": "HTTP on the caller's side: headers of the request",
  "node:_http_common": "HTTP on the caller's side",
  "node:events": "events of streams and sockets",
  "node:net": "sockets",
  "node:buffer": "buffers",
  "node:internal/buffer": "buffers",
  "node:internal/streams": "bodies as streams",
  "node:internal/timers": "timeouts",
  "node:internal/abort_controller": "the signal that cancels a request when its caller disconnects",
  "node:internal/event_target": "the signal that cancels a request when its caller disconnects",
  "node:internal/crypto": "the digest of the caller's key",
  "node:internal/process": "promises",
  "node:internal/stream_base_commons": "sockets",
};

function meaning(owner: string): string {
  return meanings[owner.startsWith("wasm:") ? "wasm" : owner] ?? "";
}
