import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Writable } from "node:stream";
import { ManualClock } from "@model-gateway/runtime/test/clocks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SlowBodies } from "./slow-body.js";

/** A disk that takes nothing until it is let. */
class StuckDisk extends Writable {
  #goOn: (() => void) | undefined;
  #isStuck = true;

  letGo(): void {
    this.#isStuck = false;
    this.#goOn?.();
  }

  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.#isStuck) this.#goOn = done;
    else done();
  }
}

const server = createServer();
let socket: Socket;
beforeEach(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
});
afterEach(async () => {
  socket.destroy();
  server.close();
  await once(server, "close");
});

test("a body that waits for the disk is not slow, however long that takes", async () => {
  const clock = new ManualClock();
  const disk = new StuckDisk();
  let failure: unknown;
  socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 900000\r\n\r\n${"a".repeat(800_000)}`);
  const [request] = (await once(server, "request")) as [IncomingMessage];

  request.pipe(disk);
  new SlowBodies(clock).refuse(request, new Promise(() => undefined)).catch((reason: unknown) => {
    failure = reason;
  });
  await expect.poll(() => disk.writableNeedDrain, { timeout: 90_000 }).toBe(true);
  const stuckUntil = clock.now() + 600_000;
  await clock.runUntil(() => clock.now() >= stuckUntil);
  expect(failure).toBeUndefined();
  disk.letGo();
  await clock.runUntil(() => failure !== undefined);

  // From here on, the caller was waited for.
  expect(failure).toMatchObject({ code: "request_timeout" });
});
