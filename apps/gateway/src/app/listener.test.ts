import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { execPath } from "node:process";
import { expect, test } from "vitest";
import { listenOnPort } from "./listener.js";

/** Opens connections at once, and prints how many were complete in the end. */
const caller = `
  const { argv, exit } = require("node:process");
  const [port, count] = argv.slice(1).map(Number);
  let connected = 0;
  const end = () => { console.log(connected); exit(); };
  for (let index = 0; index < count; index += 1)
    require("node:net").connect(port, "127.0.0.1", () => { if (++connected === count) end(); });
  setTimeout(end, 20_000);`;

/** The kernel lowers the backlog to this. Other systems than Linux allow 128 by default. */
function kernelLimit(): number {
  const file = "/proc/sys/net/core/somaxconn";
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : 128;
}

test("a thousand callers connect while the process is busy", async () => {
  const server = createServer();
  const { url, close } = await listenOnPort(server, { host: "127.0.0.1", port: 0 });
  const count = Math.min(1000, kernelLimit());

  // Nothing is accepted meanwhile: this call blocks the event loop.
  const connected = execFileSync(execPath, ["-e", caller, new URL(url).port, String(count)]);

  expect(Number(connected)).toBe(count);
  await close({ delayMs: 0 });
});
