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

test("a trusted upstream's image comes over http from a private address", async () => {
  const { url } = await start((_request, response) => response.end(image));

  const fetched = await fetchImage(`${url}a.png`, trusted());

  expect(fetched).toEqual(image);
});

test("localhost is a host like others for a trusted upstream", async () => {
  const { port } = await start((_request, response) => response.end(image));

  await expect(fetchImage(`http://localhost:${port}/`, trusted())).resolves.toEqual(image);
});

test("redirects are followed between private addresses, and nothing but the plain request is sent to any", async () => {
  const asked: unknown[] = [];
  const second = await start((request, response) => {
    asked.push([request.method, request.url, request.headers]);
    if (request.url === "/b") response.writeHead(307, { location: "c?d=e" }).end("moved");
    else response.end(image);
  });
  const first = await start((request, response) => {
    asked.push([request.method, request.url, request.headers]);
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
  expect(asked).toEqual([
    ["GET", "/a", headers(first.port)],
    ["GET", "/b", headers(second.port)],
    ["GET", "/c?d=e", headers(second.port)],
  ]);
});

test("a redirect is followed at once, and the rest of its answer is not waited for", async () => {
  const { url, server } = await start((request, response) => {
    if (request.url === "/image") response.end(image);
    else response.writeHead(302, { location: "/image" }).flushHeaders();
  });
  const closed = firstConnectionClosed(server);

  await expect(fetchImage(url, trusted())).resolves.toEqual(image);
  await closed;
});

test("three redirects are followed, a fourth is not, and a circle ends", async () => {
  let requests = 0;
  const { url } = await start((request, response) => {
    requests += 1;
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end(image);
    else response.writeHead(301, { location: Number.isNaN(left) ? "/circle" : `/${left - 1}` }).end();
  });

  await expect(fetchImage(`${url}3`, trusted())).resolves.toEqual(image);
  await expect(fetchImage(`${url}4`, trusted())).rejects.toMatchObject({ reason: "bad_answer" });
  await expect(fetchImage(`${url}circle`, trusted())).rejects.toMatchObject({ reason: "bad_answer" });
  expect(requests).toBe(12);
});

test.each([
  ["a file", "file:///etc/passwd"],
  ["a cloud's metadata", "http://169.254.169.254/latest/meta-data/"],
  ["a user name", "http://user@127.0.0.1/"],
  ["backslashes", "\\\\127.0.0.1\\"],
  ["no URL", "http://[/"],
])("a redirect to %s is refused", async (_name, location) => {
  const { url } = await start((_request, response) => response.writeHead(302, { location }).end());

  await expect(fetchImage(url, trusted())).rejects.toMatchObject({ reason: "refused" });
});

test.each<[string, RequestListener]>([
  ["is not found", (_request, response) => response.writeHead(404).end(image)],
  ["has no content", (_request, response) => response.writeHead(204).end()],
  ["is a part", (_request, response) => response.writeHead(206).end(image)],
  ["redirects nowhere", (_request, response) => response.writeHead(302).end()],
  [
    "is compressed",
    (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(image)),
  ],
])("an answer that %s is not an image", async (_name, listener) => {
  const { url } = await start(listener);

  await expect(fetchImage(url, trusted())).rejects.toMatchObject({ reason: "bad_answer" });
});

test("an image of exactly the limit is fetched", async () => {
  const { url } = await start((_request, response) => response.end(image));

  await expect(fetchImage(url, trusted({ bytesMax: image.length }))).resolves.toEqual(image);
});

test("an image that says it is too large is not read, and its connection is closed", async () => {
  const { url, server } = await start((_request, response) => {
    response.writeHead(200, { "content-length": 1001 }).flushHeaders();
  });
  const closed = firstConnectionClosed(server);

  await expect(fetchImage(url, trusted())).rejects.toMatchObject({ reason: "too_large" });
  await closed;
});

test("an image without end is cut at the limit", async () => {
  const { url } = await start(async (_request, response) => {
    response.on("error", () => undefined);
    while (!response.destroyed) {
      if (!response.write(image)) await Promise.race([once(response, "drain"), once(response, "close")]);
    }
  });

  await expect(fetchImage(url, trusted())).rejects.toMatchObject({ reason: "too_large" });
});

test("an image that is cut is not handed out", async () => {
  const { url } = await start((_request, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write(image, () => response.destroy());
  });

  await expect(fetchImage(url, trusted())).rejects.toMatchObject({ reason: "unreachable" });
});

test("a host that nobody listens on is unreachable, and only the cause says why", async () => {
  const { url, server } = await start(() => undefined);
  server.close();
  await once(server, "close");

  await expect(fetchImage(url, trusted())).rejects.toMatchObject({
    reason: "unreachable",
    message: "The host of the URL could not be reached, or it cut its answer.",
    cause: { code: "ECONNREFUSED" },
  });
});

test.each<[string, RequestListener]>([
  ["answers nothing", () => undefined],
  ["stops in the middle", (_request, response) => void response.write(image)],
  [
    "drips",
    (_request, response) => {
      const drip = setInterval(() => response.write("x"), 5);
      response.on("close", () => clearInterval(drip));
    },
  ],
])("a host that %s is not waited for longer than the limit", async (_name, listener) => {
  const { url } = await start(listener);
  const impatient = createImageFetcher({ timeoutMs: 100 });

  await expect(impatient(url, trusted({ bytesMax: 1e9 }))).rejects.toMatchObject({ reason: "timed_out" });
});

test("a lookup that never ends is not waited for longer than the limit", async () => {
  const impatient = createImageFetcher({ timeoutMs: 20, lookup: never });

  await expect(impatient("https://pictures.example/", trusted())).rejects.toMatchObject({
    reason: "timed_out",
    message: "The image did not arrive within 20 ms.",
  });
});

test("a fetch that is aborted rejects with the reason and closes its connection", async () => {
  const caller = new AbortController();
  const { url, server } = await start((_request, response) => void response.write(image));
  server.once("request", () => caller.abort(new Error("the caller left")));
  const closed = firstConnectionClosed(server);

  await expect(fetchImage(url, trusted({ signal: caller.signal }))).rejects.toThrow("the caller left");
  await closed;
});

test("a fetch that is aborted during the lookup, or before it began, connects to nobody", async () => {
  const caller = new AbortController();
  const { url, server } = await start((_request, response) => response.end(image));
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  const waiting = createImageFetcher({
    timeoutMs: 10_000,
    lookup: () => {
      caller.abort(new Error("the caller left"));
      return never();
    },
  });

  await expect(waiting("https://pictures.example/", trusted({ signal: caller.signal }))).rejects.toThrow(
    "the caller left",
  );
  await expect(fetchImage(url, trusted({ signal: caller.signal }))).rejects.toThrow("the caller left");
  expect(connections).toBe(0);
});
