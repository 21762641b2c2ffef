import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createImageFetcher } from "./fetch-image.js";

/** Listens on every address of this machine, and counts connections of any protocol. */
async function startTarget() {
  let connections = 0;
  const server = createServer((_request, response) => response.end("secret"));
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

const attempt = async (url: string, { allowPrivate = false, addresses = ["127.0.0.1"] } = {}) => {
  const target = await startTarget();
  const fetchImage = createImageFetcher({ timeoutMs: 10_000, lookup: async () => addresses });

  const outcome = await fetchImage(url.replaceAll("PORT", String(target.port)), {
    allowPrivate,
    bytesMax: 1000,
    signal: new AbortController().signal,
  }).catch((error: unknown) => error);

  return { outcome, connections: target.connections() };
};

const refused = { outcome: expect.objectContaining({ reason: "refused" }), connections: 0 };

test.each([
  ["http", "http://images.example:PORT/"],
  ["http on an address", "http://127.0.0.1:PORT/"],
  ["a file", "file:///etc/passwd"],
  ["a file on a host", "file://127.0.0.1/etc/passwd"],
  ["ftp", "ftp://127.0.0.1:PORT/"],
  ["gopher", "gopher://127.0.0.1:PORT/_GET"],
  ["a data URL", "data:image/png;base64,AAAA"],
  ["a script", "javascript:alert(1)"],
  ["a blob", "blob:https://127.0.0.1:PORT/1"],
  ["nothing", ""],
  ["not a URL", "images"],
  ["a path", "/v1/models"],
  ["no scheme", "//127.0.0.1:PORT/"],
  ["no host", "https://"],
  ["no slashes", "https:127.0.0.1:PORT/"],
  ["one slash", "https:/127.0.0.1:PORT/"],
  ["three slashes", "https:///127.0.0.1:PORT/"],
  ["loopback", "https://127.0.0.1:PORT/"],
  ["another loopback", "https://127.127.127.127:PORT/"],
  ["this host", "https://0.0.0.0:PORT/"],
  ["this host, in short", "https://0:PORT/"],
  ["a decimal address", "https://2130706433:PORT/"],
  ["an octal address", "https://0177.0.0.1:PORT/"],
  ["an octal address with zeros", "https://00000177.0.0.01:PORT/"],
  ["an octal number", "https://017700000001:PORT/"],
  ["a hexadecimal address", "https://0x7f.0.0.1:PORT/"],
  ["a hexadecimal number", "https://0x7f000001:PORT/"],
  ["a short address", "https://127.1:PORT/"],
  ["a short hexadecimal address", "https://0x7f.1:PORT/"],
  ["a number too large for an address", "https://4294967297:PORT/"],
  ["an address with a dot at the end", "https://127.0.0.1.:PORT/"],
  ["private", "https://10.0.0.1:PORT/"],
  ["the metadata service of a cloud", "https://169.254.169.254/latest/meta-data/"],
  ["the metadata service of a cloud in hexadecimal", "https://0xa9fea9fe/latest/meta-data/"],
  ["IPv6 loopback", "https://[::1]:PORT/"],
  ["IPv6 loopback in full", "https://[0000:0000:0000:0000:0000:0000:0000:0001]:PORT/"],
  ["IPv6 unspecified", "https://[::]:PORT/"],
  ["mapped loopback", "https://[::ffff:127.0.0.1]:PORT/"],
  ["mapped loopback in hexadecimal", "https://[::ffff:7f00:1]:PORT/"],
  ["mapped metadata", "https://[::ffff:169.254.169.254]/"],
  ["IPv4-compatible loopback", "https://[::127.0.0.1]:PORT/"],
  ["NAT64 of loopback", "https://[64:ff9b::127.0.0.1]:PORT/"],
  ["6to4 of loopback", "https://[2002:7f00:1::]:PORT/"],
  ["Teredo", "https://[2001:0:4136:e378:8000:63bf:80ff:fffe]:PORT/"],
  ["unique local", "https://[fd00:ec2::254]/"],
  ["link-local", "https://[fe80::1]:PORT/"],
  ["link-local with a zone", "https://[fe80::1%25lo]:PORT/"],
  ["localhost", "https://localhost:PORT/"],
  ["localhost in capitals", "https://LOCALHOST:PORT/"],
  ["localhost with a dot at the end", "https://localhost.:PORT/"],
  ["below localhost", "https://images.localhost:PORT/"],
  ["a name without a dot", "https://redis:PORT/"],
  ["a name with a dot at the end", "https://images.example.:PORT/"],
  ["a name that resolves to loopback", "https://127.0.0.1.nip.io:PORT/"],
  ["fullwidth digits", "https://１２７.０.０.１:PORT/"],
  ["circled digits", "https://①②⑦.⓪.⓪.①:PORT/"],
  ["ideographic dots", "https://127。0。0。1:PORT/"],
  ["fullwidth letters", "https://ｌｏｃａｌｈｏｓｔ:PORT/"],
  ["soft hyphens", "https://local\u00adhost:PORT/"],
  ["percent-encoded dots", "https://127%2e0%2e0%2e1:PORT/"],
  ["a percent-encoded name", "https://%6c%6f%63%61%6c%68%6f%73%74:PORT/"],
  ["a percent-encoded end of the host", "https://images.example%2f@127.0.0.1:PORT/"],
  ["a user name", "https://images.example@127.0.0.1:PORT/"],
  ["a user name and a password", "https://user:secret@images.example:PORT/"],
  ["a password alone", "https://:secret@images.example:PORT/"],
  ["two at signs", "https://a@images.example@127.0.0.1:PORT/"],
  ["a port before the at sign", "https://images.example:443@127.0.0.1:PORT/"],
  ["a fragment before the at sign", "https://127.0.0.1:PORT#@images.example/"],
  ["a query before the at sign", "https://127.0.0.1:PORT?@images.example/"],
  ["a backslash before the at sign", "https://127.0.0.1:PORT\\@images.example/"],
  ["backslashes for slashes", "https:\\\\127.0.0.1:PORT\\"],
  ["a backslash in the path", "https://images.example:PORT/a\\b"],
  ["a tab in the host", "https://127.0\t.0.1:PORT/"],
  ["a line break in the scheme", "ht\ntps://127.0.0.1:PORT/"],
  ["a header in the path", "https://images.example:PORT/\r\nx-injected: 1"],
  ["a leading space", " https://images.example:PORT/"],
  ["a trailing space", "https://images.example:PORT/ "],
  ["a no-break space in the host", "https://127.0.0.1\u00a0.images.example:PORT/"],
  ["a zero byte", "https://127.0.0.1\u0000.images.example:PORT/"],
  ["port zero", "https://images.example:0/"],
  ["a port above 65535", "https://images.example:99999/"],
])("%s is refused without a connection", async (_name, url) => {
  expect(await attempt(url)).toEqual(refused);
});

test.each([
  ["http", "http://images.example/"],
  ["localhost", "https://localhost/"],
  ["a name without a dot", "https://redis/"],
  ["a name with a dot at the end", "https://images.example./"],
  ["a user name", "https://user@images.example/"],
  ["a password", "https://:secret@images.example/"],
  ["a backslash", "https://images.example\\@127.0.0.1/"],
  ["a tab", "https://images\t.example/"],
  ["a space", "https://images.example/a b"],
  ["no slashes", "https:images.example/"],
  ["port zero", "https://images.example:0/"],
])("%s is refused without a lookup", async (_name, url) => {
  const lookups: string[] = [];
  const fetchImage = createImageFetcher({
    timeoutMs: 10_000,
    lookup: async (hostname) => {
      lookups.push(hostname);
      return [];
    },
  });

  const outcome = fetchImage(url, {
    allowPrivate: false,
    bytesMax: 1000,
    signal: new AbortController().signal,
  });

  await expect(outcome).rejects.toMatchObject({ reason: "refused" });
  expect(lookups).toEqual([]);
});

test.each([
  ["is private", ["10.1.2.3"]],
  ["is private among public ones", ["93.184.215.14", "2606:4700:4700::1111", "127.0.0.1"]],
  ["is private in IPv6 alone", ["93.184.215.14", "::1"]],
  ["is mapped", ["::ffff:127.0.0.1"]],
  ["is the metadata service of a cloud", ["169.254.169.254"]],
  ["has a zone", ["fe80::1%lo"]],
  ["is not an address", ["localhost"]],
  ["is missing", []],
])("a name is refused if one of its addresses %s", async (_name, addresses) => {
  expect(await attempt("https://images.example:PORT/", { addresses })).toEqual(refused);
});

test.each([
  ["a file", "file:///etc/passwd"],
  ["ftp", "ftp://127.0.0.1:PORT/"],
  ["a user name", "http://user@127.0.0.1:PORT/"],
  ["a backslash", "http://127.0.0.1:PORT\\@images.example/"],
  ["a line break", "http://127.0.0.1:PORT/\r\nx-injected: 1"],
  ["the metadata service of a cloud", "http://169.254.169.254/latest/meta-data/"],
  ["mapped metadata", "http://[::ffff:a9fe:a9fe]/latest/meta-data/"],
  ["IPv6 link-local", "http://[fe80::1]:PORT/"],
])("even a trusted upstream cannot link to %s", async (_name, url) => {
  expect(await attempt(url, { allowPrivate: true })).toEqual(refused);
});

test("a private name and a name that does not exist are refused with the same message", async () => {
  const failing = createImageFetcher({
    timeoutMs: 10_000,
    lookup: () => Promise.reject(new Error("getaddrinfo ENOTFOUND vault.corp.example")),
  });
  const resolving = createImageFetcher({ timeoutMs: 10_000, lookup: async () => ["10.9.8.7"] });

  const options = { allowPrivate: false, bytesMax: 1000, signal: new AbortController().signal };
  const outcomes = await Promise.allSettled([
    failing("https://vault.corp.example/", options),
    resolving("https://vault.corp.example/", options),
  ]);

  const refusal = expect.objectContaining({
    reason: "refused",
    message: "The host of the URL does not resolve to a permitted address.",
  });
  expect(outcomes).toEqual([
    { status: "rejected", reason: refusal },
    { status: "rejected", reason: refusal },
  ]);
});
