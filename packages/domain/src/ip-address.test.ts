import { expect, test } from "vitest";
import { clientNetwork, isInRange, parseAddress, parseRange } from "./ip-address.js";

test.each([
  ["10.0.0.0/8", "10.1.2.3", true],
  ["10.0.0.0/8", "::ffff:10.1.2.3", true],
  ["10.0.0.0/8", "11.0.0.1", false],
  ["10.1.2.3/8", "10.200.0.1", true],
  ["127.0.0.1", "127.0.0.1", true],
  ["127.0.0.1", "127.0.0.2", false],
  ["::ffff:127.0.0.1", "127.0.0.1", true],
  ["::ffff:10.0.0.0/104", "10.9.9.9", true],
  ["fd00::/8", "fd12::1", true],
  ["fd00::/8", "10.0.0.1", false],
  ["::1", "::1", true],
])("the range %s and the address %s", (range, address, isInside) => {
  expect(isInRange(parseAddress(address)!, parseRange(range)!)).toBe(isInside);
});

test.each(["", "proxy", "10.0.0.0/33", "10.0.0.0/", "10/8", "0x7f000001", "1", "::1/129", "10.0.0.0/8/8"])(
  "%j is not a range",
  (text) => {
    expect(parseRange(text)).toBeUndefined();
  },
);

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80::/64"],
  ["", ""],
])("the client at %j is the network %j", (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
