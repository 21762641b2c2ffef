import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { addressScope } from "./check-url.js";
import { createImageFetcher, type ImageFetcherOptions } from "./fetch-image.js";

const image = Buffer.from("the bytes of an image");

/** The public web of these tests is one server on loopback. The rules for other addresses apply as always. */
async function startWeb(listener: RequestListener, options: Partial<ImageFetcherOptions> = {}) {
  let requests = 0;
  const server = createServer({ key, cert: certificate }, listener).listen(0, "127.0.0.1");
  server.on("request", () => {
    requests += 1;
  });
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const fetchImage = createImageFetcher({
    timeoutMs: 10_000,
    lookup: async (hostname) => addresses[hostname] ?? [],
    addressScope: (address) => (address === "127.0.0.1" ? "public" : addressScope(address)),
    ca: certificate,
    ...options,
  });
  return {
    port,
    requests: () => requests,
    fetch: (url: string, { allowPrivate = false } = {}) =>
      fetchImage(url.replace("PORT", String(port)), {
        allowPrivate,
        bytesMax: 1000,
        signal: new AbortController().signal,
      }),
  };
}

const addresses: Readonly<Record<string, readonly string[]>> = {
  "images.example": ["127.0.0.1"],
  "other.example": ["127.0.0.1"],
  "inside.example": ["10.0.0.1"],
};

test("an image is fetched over https from a public address, with the host name in the request", async () => {
  const requests: unknown[] = [];
  const web = await startWeb((request, response) => {
    requests.push([request.headers.host, request.url]);
    response.end(image);
  });

  const fetched = await web.fetch("https://images.example:PORT/a.png?b=c#d");

  expect(fetched).toEqual(image);
  expect(requests).toEqual([[`images.example:${web.port}`, "/a.png?b=c"]]);
});

test("a name is looked up once, so DNS rebinding cannot change a checked address", async () => {
  const results = [["127.0.0.1"], ["10.0.0.1"]];
  const lookups: string[] = [];
  const web = await startWeb((_request, response) => response.end(image), {
    lookup: async (hostname) => {
      lookups.push(hostname);
      return results.shift() ?? [];
    },
  });

  await expect(web.fetch("https://images.example:PORT/")).resolves.toEqual(image);
  expect(lookups).toEqual(["images.example"]);
});

test("a name that resolves to a private address after a redirect is refused", async () => {
  const results = [["127.0.0.1"], ["10.0.0.1"]];
  const web = await startWeb((_request, response) => response.writeHead(302, { location: "/again" }).end(), {
    lookup: async () => results.shift() ?? [],
  });

  await expect(web.fetch("https://images.example:PORT/")).rejects.toMatchObject({ reason: "refused" });
  expect(web.requests()).toBe(1);
});

test.each([
  ["a private address", "https://10.0.0.1/"],
  ["IPv6 loopback", "https://[::1]:PORT/"],
  ["a name with a private address", "https://inside.example/"],
  ["a name without a dot", "https://localhost:PORT/"],
  ["http", "http://images.example:PORT/"],
  ["a URL with a user name", "https://user@images.example:PORT/"],
  ["another host by backslashes", "/\\\\inside.example/"],
  ["another host by two slashes", "//inside.example/"],
])("a redirect to %s is refused", async (_name, location) => {
  const web = await startWeb((request, response) => {
    const port = String(request.socket.localPort);
    response.writeHead(302, { location: location.replace("PORT", port) }).end();
  });

  await expect(web.fetch("https://images.example:PORT/")).rejects.toMatchObject({ reason: "refused" });
  expect(web.requests()).toBe(1);
});

test("a trusted upstream's link may not redirect from https to http either", async () => {
  const web = await startWeb((_request, response) =>
    response.writeHead(302, { location: "http://images.example/" }).end(),
  );

  await expect(web.fetch("https://images.example:PORT/", { allowPrivate: true })).rejects.toMatchObject({
    reason: "refused",
    message: "The URL redirects from https to http.",
  });
});

test("a certificate for another name is not accepted", async () => {
  const web = await startWeb((_request, response) => response.end(image));

  await expect(web.fetch("https://other.example:PORT/")).rejects.toMatchObject({
    reason: "unreachable",
    cause: { code: "ERR_TLS_CERT_ALTNAME_INVALID" },
  });
  expect(web.requests()).toBe(0);
});

test.each([true, false])(
  "a self-signed certificate is not accepted, with allowPrivate %s",
  async (allowPrivate) => {
    const web = await startWeb((_request, response) => response.end(image));
    const fetchWithoutCa = createImageFetcher({
      timeoutMs: 10_000,
      lookup: async () => ["127.0.0.1"],
      addressScope: () => "public",
    });

    const outcome = fetchWithoutCa(`https://images.example:${web.port}/`, {
      allowPrivate,
      bytesMax: 1000,
      signal: new AbortController().signal,
    });

    await expect(outcome).rejects.toMatchObject({
      reason: "unreachable",
      cause: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" },
    });
    expect(web.requests()).toBe(0);
  },
);

test("a server on loopback is private, even with a trusted certificate", async () => {
  const web = await startWeb((_request, response) => response.end(image), { addressScope });

  await expect(web.fetch("https://images.example:PORT/")).rejects.toMatchObject({ reason: "refused" });
  expect(web.requests()).toBe(0);
  await expect(web.fetch("https://images.example:PORT/", { allowPrivate: true })).resolves.toEqual(image);
});

/** For these tests alone: self-signed, for images.example, valid until 2120. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBXjCCAQWgAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5pbWFnZXMu
ZXhhbXBsZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
A1UEAwwOaW1hZ2VzLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARF
Nopf5hsw+EZlEF04yOtryprBoUQS6poPzQ5R0JHd0lvUmS/9l87C3ZDHiRXnRrhq
DeO6urCDgD0CpUTjrSQVozwwOjAZBgNVHREEEjAQgg5pbWFnZXMuZXhhbXBsZTAd
BgNVHQ4EFgQUaaN+kglPibl1D7PlAbuSyp1SDYUwCgYIKoZIzj0EAwIDRwAwRAIg
ZKiAH/bICC5rnKGcZzuMycCCoyWD6HCnjXF70fW3JNICIG0upqqI6WVnAn/MgFgF
dicGOLoW/JNZ2Q32khFThbUo
-----END CERTIFICATE-----`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgWUTe+YcXsifAEMIz
NlS0LPlcHBj8qaSjAVWrQy0y1wuhRANCAARFNopf5hsw+EZlEF04yOtryprBoUQS
6poPzQ5R0JHd0lvUmS/9l87C3ZDHiRXnRrhqDeO6urCDgD0CpUTjrSQV
-----END PRIVATE KEY-----`;
