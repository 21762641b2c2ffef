import type { ChildProcess } from "node:child_process";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";

/** Waits until something listens on a port. */
export async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 6000; tries += 1) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(" ")} ended (${child.exitCode}).`);
    if (await listens(port)) return;
    await setTimeout(5);
  }
  throw new Error(`${child.spawnargs.join(" ")} does not listen.`);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const settle = (does: boolean) => {
      socket.destroy();
      resolve(does);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
