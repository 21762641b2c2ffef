import { expect, test } from "vitest";
import { isFromThisMachine } from "./is-from-this-machine.js";

const request = (remoteAddress: string | undefined, headers: Record<string, string>) =>
  ({ socket: { remoteAddress }, headers }) as unknown as Parameters<typeof isFromThisMachine>[0];
const local = { host: "127.0.0.1:8080" };

test.each([
  ["IPv4", "127.0.0.1", local],
  ["IPv4 as IPv6", "::ffff:127.0.0.1", local],
  ["IPv6", "::1", { host: "[::1]:8080" }],
  ["a name", "127.0.0.1", { host: "localhost:8080", origin: "http://localhost:8080" }],
  ["another loopback address", "127.0.0.9", { host: "127.8.0.9" }],
])("%s of this machine", (_, address, headers) => {
  expect(isFromThisMachine(request(address, headers))).toBe(true);
});

test.each([
  ["another machine", "192.0.2.1", local],
  ["another machine, IPv6", "2001:db8::1", local],
  ["a closed connection", undefined, local],
  ["no host", "127.0.0.1", {}],
  ["a host elsewhere", "127.0.0.1", { host: "gateway.example:8080" }],
  ["a name that has a loopback address", "127.0.0.1", { host: "localhost.rebound.example" }],
  ["a host that hides behind a user", "127.0.0.1", { host: "127.0.0.1@gateway.example" }],
  ["a host that is not one", "127.0.0.1", { host: "[127.0.0.1" }],
  ["a page elsewhere", "127.0.0.1", { ...local, origin: "https://gateway.example" }],
  ["a page without an origin", "127.0.0.1", { ...local, origin: "null" }],
  ["a proxy", "127.0.0.1", { ...local, "x-forwarded-for": "127.0.0.1" }],
  ["a proxy by the standard", "127.0.0.1", { ...local, forwarded: "for=127.0.0.1" }],
  ["a proxy that names itself", "127.0.0.1", { ...local, via: "1.1 proxy" }],
  ["a proxy with an empty header", "127.0.0.1", { ...local, "x-real-ip": "" }],
])("%s is not this machine", (_, address, headers) => {
  expect(isFromThisMachine(request(address, headers))).toBe(false);
});
