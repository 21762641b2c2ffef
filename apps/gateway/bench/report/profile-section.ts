import { byOwner, type SelfTime } from "../profile/self-times.js";
import { table } from "./table.js";

export const profileHeading = "## Where the time goes";

/** The CPU profile of the smallest request, in words. */
export function profileSection(times: readonly SelfTime[]): string {
  const owners = byOwner(times).slice(0, 20);
  const places = times.slice(0, 20);
  return [
    profileHeading,
    "",
    "A CPU profile of the gateway while it answers one-input requests, 32 at once, JSON; `npm run bench -- --profile` writes this section. A share is the time spent in the code itself, not in what it calls, out of all time in which the process was not idle.",
    "",
    table(
      ["share %", "where", "what it is"],
      owners.map(({ owner, share }) => [percent(share), `\`${owner}\``, meaning(owner)]),
    ),
    "",
    "The single functions that take the most:",
    "",
    table(
      ["share %", "where", "function"],
      places.map(({ owner, place, share }) => [percent(share), `\`${owner}\``, `\`${place}\``]),
    ),
    "",
  ].join("\n");
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

/** What a reader should know of the names in a profile. The longest name that fits tells. */
const meanings: Readonly<Record<string, string>> = {
  native: "calls out of JavaScript: writing to sockets, hashing, copying, parsing JSON",
  "(garbage collector)": "clearing up what requests leave behind",
  "(program)": "Node itself, between two pieces of JavaScript",
  "main.js": "the gateway itself",
  "vector.js": "the gateway itself: vectors",
  "undici.js": "the connection to the upstream",
  wasm: "undici's parser of HTTP",
  pino: "one line of log a request",
  "express.js": "finding the route; request and response objects",
  "express-openapi-validator.js": "holding the request against the spec",
  "ajv.js": "holding the request against the spec",
  "node:_http_server": "HTTP on the caller's side",
  "node:_http_outgoing": "HTTP on the caller's side: headers and body of the answer",
  "node:_http_incoming": "HTTP on the caller's side: headers of the request",
  "node:_http_common": "HTTP on the caller's side",
  "node:events": "events of streams and sockets",
  "node:net": "sockets",
  "node:buffer": "bytes",
  "node:internal/buffer": "bytes",
  "node:internal/streams": "bodies as streams",
  "node:internal/timers": "timeouts",
  "node:internal/abort_controller": "the signal that ends a request whose caller has left",
  "node:internal/event_target": "the signal that ends a request whose caller has left",
  "node:internal/crypto": "the digest of the caller's key",
  "node:internal/process": "promises",
  "node:internal/stream_base_commons": "sockets",
};

function meaning(owner: string): string {
  return meanings[owner.startsWith("wasm:") ? "wasm" : owner] ?? "";
}
