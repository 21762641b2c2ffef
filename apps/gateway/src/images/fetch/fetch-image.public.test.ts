import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { reachOf } from "./check-url.js";
import { createImageFetcher, type ImageFetcherOptions } from "./fetch-image.js";

const image = Buffer.from("the bytes of an image");

/** In these tests the web is one server on loopback, which counts as public; every other address is judged as always. */
async function startWeb(listener: RequestListener, needs: Partial<ImageFetcherOptions> = {}) {
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
    reachOf: (address) => (address === "127.0.0.1" ? "public" : reachOf(address)),
    ca: certificate,
    ...needs,
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
  "pictures.example": ["127.0.0.1"],
  "other.example": ["127.0.0.1"],
  "inside.example": ["10.0.0.1"],
};

test("an image comes over https from a public address, and the host is asked for by its name", async () => {
  const asked: unknown[] = [];
  const web = await startWeb((request, response) => {
    asked.push([request.headers.host, request.url]);
    response.end(image);
  });

  const fetched = await web.fetch("https://pictures.example:PORT/a.png?b=c#d");

  expect(fetched).toEqual(image);
  expect(asked).toEqual([[`pictures.example:${web.port}`, "/a.png?b=c"]]);
});

test("a name is looked up once, so that it cannot lead elsewhere after it was checked", async () => {
  const answers = [["127.0.0.1"], ["10.0.0.1"]];
  const asked: string[] = [];
  const web = await startWeb((_request, response) => response.end(image), {
    lookup: async (hostname) => {
      asked.push(hostname);
      return answers.shift() ?? [];
    },
  });

  await expect(web.fetch("https://pictures.example:PORT/")).resolves.toEqual(image);
  expect(asked).toEqual(["pictures.example"]);
});

test("a name that leads elsewhere after a redirect is refused then", async () => {
  const answers = [["127.0.0.1"], ["10.0.0.1"]];
  const web = await startWeb((_request, response) => response.writeHead(302, { location: "/again" }).end(), {
    lookup: async () => answers.shift() ?? [],
  });

  await expect(web.fetch("https://pictures.example:PORT/")).rejects.toMatchObject({ reason: "refused" });
  expect(web.requests()).toBe(1);
});

test.each([
  ["a private address", "https://10.0.0.1/"],
  ["loopback of IPv6", "https://[::1]:PORT/"],
  ["a name that leads inside", "https://inside.example/"],
  ["a name without a dot", "https://localhost:PORT/"],
  ["http", "http://pictures.example:PORT/"],
  ["a host with a user name", "https://user@pictures.example:PORT/"],
  ["another host by backslashes", "/\\\\inside.example/"],
  ["another host by two slashes", "//inside.example/"],
])("a redirect to %s is refused", async (_name, location) => {
  const web = await startWeb((request, response) => {
    const port = String(request.socket.localPort);
    response.writeHead(302, { location: location.replace("PORT", port) }).end();
  });

  await expect(web.fetch("https://pictures.example:PORT/")).rejects.toMatchObject({ reason: "refused" });
  expect(web.requests()).toBe(1);
});

test("a trusted upstream's link does not fall from https to http either", async () => {
  const web = await startWeb((_request, response) =>
    response.writeHead(302, { location: "http://pictures.example/" }).end(),
  );

  await expect(web.fetch("https://pictures.example:PORT/", { allowPrivate: true })).rejects.toMatchObject({
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
  "a certificate that nobody signed is not accepted, with allowPrivate %s",
  async (allowPrivate) => {
    const web = await startWeb((_request, response) => response.end(image));
    const distrustful = createImageFetcher({
      timeoutMs: 10_000,
      lookup: async () => ["127.0.0.1"],
      reachOf: () => "public",
    });

    const outcome = distrustful(`https://pictures.example:${web.port}/`, {
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

test("a server with a certificate on loopback is as private as any", async () => {
  const web = await startWeb((_request, response) => response.end(image), { reachOf });

  await expect(web.fetch("https://pictures.example:PORT/")).rejects.toMatchObject({ reason: "refused" });
  expect(web.requests()).toBe(0);
  await expect(web.fetch("https://pictures.example:PORT/", { allowPrivate: true })).resolves.toEqual(image);
});

/** Made for these tests alone: it is signed by itself, names pictures.example and ends in 2120. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBZTCCAQugAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBBwaWN0dXJl
cy5leGFtcGxlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAbMRkw
FwYDVQQDDBBwaWN0dXJlcy5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEIN16G0vmH84/yJQ6/jvINIMYO7EooC4fkd3TzOAnBlLBXqbdJO/Mu4/N7jcv
KTQx7KrmmeaUZm3n0y0VFBAkPKM+MDwwGwYDVR0RBBQwEoIQcGljdHVyZXMuZXhh
bXBsZTAdBgNVHQ4EFgQUyO5urLJRrFLC6S/9i3bLknABjHkwCgYIKoZIzj0EAwID
SAAwRQIhAJP6JukB3GpfhmBdNPiDD90TxU8HhzP9O4guENrhsMhCAiBIY3Rq27wt
e4s7PXsGDVhVaMFD26tujO4MwzHapff72g==
-----END CERTIFICATE-----`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJcQF9N1JDVa+WHiH
0J3aFyc0LcbO/YhzgNomhHp16rahRANCAAQg3XobS+Yfzj/IlDr+O8g0gxg7sSig
Lh+R3dPM4CcGUsFept0k78y7j83uNy8pNDHsquaZ5pRmbefTLRUUECQ8
-----END PRIVATE KEY-----`;
