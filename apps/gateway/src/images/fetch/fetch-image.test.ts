import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createImageFetcher, type FetchImageOptions } from "./fetch-image.js";

const image = Buffer.from("the bytes of an image");

async function start(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, port, url: `http://127.0.0.1:${port}/` };
}

async function firstConnectionClosed(server: Server): Promise<void> {
  const [socket] = await once(server, "connection");
  await once(socket, "close");
}

const trusted = (changes: Partial<FetchImageOptions> = {}): FetchImageOptions => ({
  allowPrivate: true,
  bytesMax: 1000,
  signal: new AbortController().signal,
  ...changes,
});

const fetchImage = createImageFetcher({ timeoutMs: 10_000 });
const never = () => new Promise<never>(() => undefined);

test("a trusted upstream's image is fetched over http from a private address", async () => {
  const { url } = await start((_request, response) => response.end(image));

  const fetched = await fetchImage(`${url}a.png`, trusted());

  expect(fetched).toEqual(image);
});

test("a trusted upstream may link to localhost", async () => {
  const { port } = await start((_request, response) => response.end(image));

  await expect(fetchImage(`http://localhost:${port}/`, trusted())).resolves.toEqual(image);
});

test("redirects are followed between private addresses, with the plain request alone and no cookies", async () => {
  const requests: unknown[] = [];
  const second = await start((request, response) => {
    requests.push([request.method, request.url, request.headers]);
    if (request.url === "/b") response.writeHead(307, { location: "c?d=e" }).end("moved");
    else response.end(image);
  });
  const first = await start((request, response) => {
    requests.push([request.method, request.url, request.headers]);
    response.writeHead(302, { location: `${second.url}b`, "set-cookie": "session=1" }).end("moved");
  });

  const fetched = await fetchImage(`${first.url}a`, trusted());

  const headers = (port: number) => ({
    host: `127.0.0.1:${port}`,
    connection: "close",
    accept: "image/*",
    "accept-encoding": "identity",
    "user-agent": "model-gateway",
  });
  expect(fetched).toEqual(image);
  expect(requests).toEqual([
    ["GET", "/a", headers(first.port)],
    ["GET", "/b", headers(second.port)],
    ["GET", "/c?d=e", headers(second.port)],
  ]);
});

test("a redirect is followed before the rest of its reply arrives", async () => {
  const { url, server } = await start((request, response) => {
    if (request.url === "/image") response.end(image);
    else response.writeHead(302, { location: "/image" }).flushHeaders();
  });
  const closed = firstConnectionClosed(server);

  await expect(fetchImage(url, trusted())).resolves.toEqual(image);
  await closed;
});

test("three redirects are followed, a fourth is not, and a redirect loop ends", async () => {
  let requests = 0;
  const { url } = await start((request, response) => {
    requests += 1;
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end(image);
    else response.writeHead(301, { location: Number.isNaN(left) ? "/loop" : `/${left - 1}` }).end();
  });

  await expect(fetchImage(`${url}3`, trusted())).resolves.toEqual(image);
  await expect(fetchImage(`${url}4`, trusted())).rejects.toMatchObject({ reason: "bad_reply" });
  await expect(fetchImage(`${url}loop`, trusted())).rejects.toMatchObject({ reason: "bad_reply" });
  expect(requests).toBe(12);
});

test.each([
  ["a file", "file:///etc/passwd"],
  ["the metadata service of a cloud", "http://169.254.169.254/latest/meta-data/"],
  ["a user name", "http://user@127.0.0.1/"],
  ["backslashes", "\\\\127.0.0.1\\"],
  ["an invalid URL", "http://[/"],
])("a redirect to %s is refused", async (_name, location) => {
  const { url } = await start((_request, response) => response.writeHead(302, { location }).end());

  await expect(fetchImage(url, trusted())).rejects.toMatchObject({ reason: "refused" });
});

test.each<[string, RequestListener]>([
  ["is not found", (_request, response) => response.writeHead(404).end(image)],
  ["has no content", (_request, response) => response.writeHead(204).end()],
  ["is partial", (_request, response) => response.writeHead(206).end(image)],
  ["redirects without a location", (_request, response) => response.writeHead(302).end()],
  [
    "is compressed",
    (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(image)),
  ],
])("a reply that %s is not an image", async (_name, listener) => {
  const { url } = await start(listener);

  await expect(fetchImage(url, trusted())).rejects.toMatchObject({ reason: "bad_reply" });
});

test("an image of exactly the limit is fetched", async () => {
  const { url } = await start((_request, response) => response.end(image));

  await expect(fetchImage(url, trusted({ bytesMax: image.length }))).resolves.toEqual(image);
});

test("an image whose content-length is too large is not read, and its connection is closed", async () => {
  const { url, server } = await start((_request, response) => {
    response.writeHead(200, { "content-length": 1001 }).flushHeaders();
  });
  const closed = firstConnectionClosed(server);

  await expect(fetchImage(url, trusted())).rejects.toMatchObject({ reason: "too_large" });
  await closed;
});

test("an endless image is refused at the limit", async () => {
  const { url } = await start(async (_request, response) => {
    response.on("error", () => undefined);
    while (!response.destroyed) {
      if (!response.write(image)) await Promise.race([once(response, "drain"), once(response, "close")]);
    }
  });

  await expect(fetchImage(url, trusted())).rejects.toMatchObject({ reason: "too_large" });
});

test("a truncated image is not returned", async () => {
  const { url } = await start((_request, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write(image, () => response.destroy());
  });

  await expect(fetchImage(url, trusted())).rejects.toMatchObject({ reason: "unreachable" });
});

test("a refused connection is unreachable, and only the cause says why", async () => {
  const { url, server } = await start(() => undefined);
  server.close();
  await once(server, "close");

  await expect(fetchImage(url, trusted())).rejects.toMatchObject({
    reason: "unreachable",
    message: "The host of the URL could not be reached, or it closed the connection early.",
    cause: { code: "ECONNREFUSED" },
  });
});

test.each<[string, RequestListener]>([
  ["never replies", () => undefined],
  ["stalls in the middle", (_request, response) => void response.write(image)],
  [
    "drips bytes",
    (_request, response) => {
      const drip = setInterval(() => response.write("x"), 5);
      response.on("close", () => clearInterval(drip));
    },
  ],
])("a host that %s times out", async (_name, listener) => {
  const { url } = await start(listener);
  const fetchBriefly = createImageFetcher({ timeoutMs: 100 });

  await expect(fetchBriefly(url, trusted({ bytesMax: 1e9 }))).rejects.toMatchObject({ reason: "timed_out" });
});

test("a lookup that never ends times out", async () => {
  const fetchBriefly = createImageFetcher({ timeoutMs: 20, lookup: never });

  await expect(fetchBriefly("https://images.example/", trusted())).rejects.toMatchObject({
    reason: "timed_out",
    message: "The image did not arrive within 20 ms.",
  });
});

test("an aborted fetch rejects with the reason and closes its connection", async () => {
  const caller = new AbortController();
  const { url, server } = await start((_request, response) => void response.write(image));
  server.once("request", () => caller.abort(new Error("the caller left")));
  const closed = firstConnectionClosed(server);

  await expect(fetchImage(url, trusted({ signal: caller.signal }))).rejects.toThrow("the caller left");
  await closed;
});

test("a fetch that is aborted before or during the lookup opens no connection", async () => {
  const caller = new AbortController();
  const { url, server } = await start((_request, response) => response.end(image));
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  const fetchAborted = createImageFetcher({
    timeoutMs: 10_000,
    lookup: () => {
      caller.abort(new Error("the caller left"));
      return never();
    },
  });

  await expect(fetchAborted("https://images.example/", trusted({ signal: caller.signal }))).rejects.toThrow(
    "the caller left",
  );
  await expect(fetchImage(url, trusted({ signal: caller.signal }))).rejects.toThrow("the caller left");
  expect(connections).toBe(0);
});
