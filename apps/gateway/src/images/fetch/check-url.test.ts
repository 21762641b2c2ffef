import { expect, test } from "vitest";
import { addressScope, readImageUrl } from "./check-url.js";

test("a URL has at most 16,384 characters", () => {
  const url = (length: number) => "https://a.example/".padEnd(length, "b");

  expect(readImageUrl(url(16_384), { allowPrivate: false }).href).toHaveLength(16_384);
  expect(() => readImageUrl(url(16_385), { allowPrivate: false })).toThrow(
    "The URL is longer than 16384 characters.",
  );
});

test.each([
  "1.1.1.1",
  "93.184.215.14",
  "100.63.255.255",
  "172.32.0.1",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001:80b::200e",
  "::ffff:1.1.1.1",
  "::ffff:101:101",
  "64:ff9b::1.1.1.1",
])("%s is public", (address) => {
  expect(addressScope(address)).toBe("public");
});

test.each([
  ["0.0.0.0", "this host"],
  ["0.1.2.3", "this network"],
  ["10.0.0.1", "private"],
  ["100.64.0.1", "carrier-grade NAT"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.0.0.1", "protocol assignments"],
  ["192.0.2.1", "documentation"],
  ["192.88.99.1", "6to4 relays"],
  ["192.168.1.1", "private"],
  ["198.18.0.1", "benchmarking"],
  ["198.51.100.1", "documentation"],
  ["203.0.113.1", "documentation"],
  ["224.0.0.1", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "broadcast"],
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["::127.0.0.1", "IPv4-compatible loopback"],
  ["::808:808", "IPv4-compatible, even of a public address"],
  ["::ffff:127.0.0.1", "mapped loopback"],
  ["::ffff:7f00:1", "mapped loopback in hexadecimal"],
  ["::ffff:10.0.0.1", "mapped private"],
  ["::ffff:0:127.0.0.1", "translated loopback"],
  ["64:ff9b::127.0.0.1", "NAT64 of loopback"],
  ["64:ff9b::a00:1", "NAT64 of private"],
  ["64:ff9b:1::808:808", "local NAT64"],
  ["100::1", "discard"],
  ["2001::1", "Teredo"],
  ["2001:2::1", "benchmarking"],
  ["2001:20::1", "ORCHIDv2"],
  ["2001:db8::1", "documentation"],
  ["2002:7f00:1::", "6to4 of loopback"],
  ["2002:808:808::", "6to4, even of a public address"],
  ["3fff::1", "documentation"],
  ["4000::1", "unassigned"],
  ["5f00::1", "segment routing"],
  ["fc00::1", "unique local"],
  ["fd00:ec2::254", "unique local, the metadata service of a cloud"],
  ["fec0::1", "site-local"],
  ["ff02::1", "multicast"],
  ["", "not an address"],
  ["localhost", "not an address"],
  ["0177.0.0.1", "not in the notation of resolvers"],
  ["2130706433", "not in the notation of resolvers"],
])("%s is private: %s", (address) => {
  expect(addressScope(address)).toBe("private");
});

test.each([
  "169.254.169.254",
  "::ffff:169.254.169.254",
  "64:ff9b::a9fe:a9fe",
  "fe80::1",
  "fe80::1%eth0",
  "febf::1",
])("%s is link-local", (address) => {
  expect(addressScope(address)).toBe("link-local");
});
