import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createPictureFetcher, type FetchPictureOptions } from "./fetch-image.js";

const picture = Buffer.from("the bytes of a picture");

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

const trusted = (changes: Partial<FetchPictureOptions> = {}): FetchPictureOptions => ({
  allowPrivate: true,
  bytesMax: 1000,
  signal: new AbortController().signal,
  ...changes,
});

const fetchPicture = createPictureFetcher({ timeoutMs: 10_000 });
const never = () => new Promise<never>(() => undefined);

test("a trusted upstream's picture comes over http from a private address", async () => {
  const { url } = await start((_request, response) => response.end(picture));

  const fetched = await fetchPicture(`${url}a.png`, trusted());

  expect(fetched).toEqual(picture);
});

test("localhost is a host like others for a trusted upstream", async () => {
  const { port } = await start((_request, response) => response.end(picture));

  await expect(fetchPicture(`http://localhost:${port}/`, trusted())).resolves.toEqual(picture);
});

test("redirects are followed between private addresses, and nothing but the plain request is sent to any", async () => {
  const asked: unknown[] = [];
  const second = await start((request, response) => {
    asked.push([request.method, request.url, request.headers]);
    if (request.url === "/b") response.writeHead(307, { location: "c?d=e" }).end("moved");
    else response.end(picture);
  });
  const first = await start((request, response) => {
    asked.push([request.method, request.url, request.headers]);
    response.writeHead(302, { location: `${second.url}b`, "set-cookie": "session=1" }).end("moved");
  });

  const fetched = await fetchPicture(`${first.url}a`, trusted());

  const headers = (port: number) => ({
    host: `127.0.0.1:${port}`,
    connection: "close",
    accept: "image/*",
    "accept-encoding": "identity",
    "user-agent": "model-gateway",
  });
  expect(fetched).toEqual(picture);
  expect(asked).toEqual([
    ["GET", "/a", headers(first.port)],
    ["GET", "/b", headers(second.port)],
    ["GET", "/c?d=e", headers(second.port)],
  ]);
});

test("a redirect is followed at once, and the rest of its answer is not waited for", async () => {
  const { url, server } = await start((request, response) => {
    if (request.url === "/picture") response.end(picture);
    else response.writeHead(302, { location: "/picture" }).flushHeaders();
  });
  const closed = firstConnectionClosed(server);

  await expect(fetchPicture(url, trusted())).resolves.toEqual(picture);
  await closed;
});

test("three redirects are followed, a fourth is not, and a circle ends", async () => {
  let requests = 0;
  const { url } = await start((request, response) => {
    requests += 1;
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end(picture);
    else response.writeHead(301, { location: Number.isNaN(left) ? "/circle" : `/${left - 1}` }).end();
  });

  await expect(fetchPicture(`${url}3`, trusted())).resolves.toEqual(picture);
  await expect(fetchPicture(`${url}4`, trusted())).rejects.toMatchObject({ reason: "bad_answer" });
  await expect(fetchPicture(`${url}circle`, trusted())).rejects.toMatchObject({ reason: "bad_answer" });
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

  await expect(fetchPicture(url, trusted())).rejects.toMatchObject({ reason: "refused" });
});

test.each<[string, RequestListener]>([
  ["is not found", (_request, response) => response.writeHead(404).end(picture)],
  ["has no content", (_request, response) => response.writeHead(204).end()],
  ["is a part", (_request, response) => response.writeHead(206).end(picture)],
  ["redirects nowhere", (_request, response) => response.writeHead(302).end()],
  [
    "is compressed",
    (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(picture)),
  ],
])("an answer that %s is not a picture", async (_name, listener) => {
  const { url } = await start(listener);

  await expect(fetchPicture(url, trusted())).rejects.toMatchObject({ reason: "bad_answer" });
});

test("a picture of exactly the limit is fetched", async () => {
  const { url } = await start((_request, response) => response.end(picture));

  await expect(fetchPicture(url, trusted({ bytesMax: picture.length }))).resolves.toEqual(picture);
});

test("a picture that says it is too large is not read, and its connection is closed", async () => {
  const { url, server } = await start((_request, response) => {
    response.writeHead(200, { "content-length": 1001 }).flushHeaders();
  });
  const closed = firstConnectionClosed(server);

  await expect(fetchPicture(url, trusted())).rejects.toMatchObject({ reason: "too_large" });
  await closed;
});

test("a picture without end is cut at the limit", async () => {
  const { url } = await start(async (_request, response) => {
    response.on("error", () => undefined);
    while (!response.destroyed) {
      if (!response.write(picture)) await Promise.race([once(response, "drain"), once(response, "close")]);
    }
  });

  await expect(fetchPicture(url, trusted())).rejects.toMatchObject({ reason: "too_large" });
});

test("a picture that is cut is not handed out", async () => {
  const { url } = await start((_request, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write(picture, () => response.destroy());
  });

  await expect(fetchPicture(url, trusted())).rejects.toMatchObject({ reason: "unreachable" });
});

test("a host that nobody listens on is unreachable, and only the cause says why", async () => {
  const { url, server } = await start(() => undefined);
  server.close();
  await once(server, "close");

  await expect(fetchPicture(url, trusted())).rejects.toMatchObject({
    reason: "unreachable",
    message: "The host of the URL could not be reached, or it cut its answer.",
    cause: { code: "ECONNREFUSED" },
  });
});

test.each<[string, RequestListener]>([
  ["answers nothing", () => undefined],
  ["stops in the middle", (_request, response) => void response.write(picture)],
  [
    "drips",
    (_request, response) => {
      const drip = setInterval(() => response.write("x"), 5);
      response.on("close", () => clearInterval(drip));
    },
  ],
])("a host that %s is not waited for longer than the limit", async (_name, listener) => {
  const { url } = await start(listener);
  const impatient = createPictureFetcher({ timeoutMs: 100 });

  await expect(impatient(url, trusted({ bytesMax: 1e9 }))).rejects.toMatchObject({ reason: "timed_out" });
});

test("a lookup that never ends is not waited for longer than the limit", async () => {
  const impatient = createPictureFetcher({ timeoutMs: 20, lookup: never });

  await expect(impatient("https://pictures.example/", trusted())).rejects.toMatchObject({
    reason: "timed_out",
    message: "The picture did not arrive within 20 ms.",
  });
});

test("a fetch that is aborted rejects with the reason and closes its connection", async () => {
  const caller = new AbortController();
  const { url, server } = await start((_request, response) => void response.write(picture));
  server.once("request", () => caller.abort(new Error("the caller left")));
  const closed = firstConnectionClosed(server);

  await expect(fetchPicture(url, trusted({ signal: caller.signal }))).rejects.toThrow("the caller left");
  await closed;
});

test("a fetch that is aborted during the lookup, or before it began, connects to nobody", async () => {
  const caller = new AbortController();
  const { url, server } = await start((_request, response) => response.end(picture));
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  const waiting = createPictureFetcher({
    timeoutMs: 10_000,
    lookup: () => {
      caller.abort(new Error("the caller left"));
      return never();
    },
  });

  await expect(waiting("https://pictures.example/", trusted({ signal: caller.signal }))).rejects.toThrow(
    "the caller left",
  );
  await expect(fetchPicture(url, trusted({ signal: caller.signal }))).rejects.toThrow("the caller left");
  expect(connections).toBe(0);
});
