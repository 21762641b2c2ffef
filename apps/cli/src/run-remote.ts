/** Runs the commands that call a running gateway. It is loaded on demand, and loads only the command that it runs. */
import type { CommandPlace } from "./check.js";
import type { Command, CommandName, CommandOf } from "./command-table.js";
import { type Report, type Terminal, writeReport } from "./print/terminal.js";
import type { FileLimits } from "./reembed/run/batch-file.js";
import { findGateway } from "./remote/find-gateway.js";
import { RemoteGateway } from "./remote/remote-gateway.js";
import type { Pacing } from "./remote/retry.js";

/** The names of the commands here: those with the options of a connection. */
export type RemoteName = {
  [Name in CommandName]: "json" extends keyof CommandOf<Name> ? Name : never;
}[CommandName];

export type RemoteCommand = Extract<Command, { readonly name: RemoteName }>;

export interface RemotePlace {
  readonly place: CommandPlace;
  readonly terminal: Terminal;
  /** The waits of commands that take long. */
  readonly pacing?: Pacing;
  /** The bounds of the files of `reembed`. */
  readonly limits?: FileLimits;
}

/** Returns the exit code. */
export async function runRemote(command: RemoteCommand, remote: RemotePlace): Promise<number> {
  const { place, terminal } = remote;
  const gateway = new RemoteGateway(findGateway(command, place), terminal.signal);
  if (command.name === "logs") {
    const { logs } = await import("./logs.js");
    await logs(command, gateway, terminal);
    return 0;
  }
  const report = await reportOf(command, gateway, remote);
  return writeReport(report, { json: command.json, terminal });
}

async function reportOf(
  command: Exclude<RemoteCommand, { readonly name: "logs" }>,
  gateway: RemoteGateway,
  remote: RemotePlace,
): Promise<Report> {
  const { terminal } = remote;
  switch (command.name) {
    case "status":
      return (await import("./status.js")).status(command, gateway, terminal);
    case "link":
      return (await import("./link.js")).createLink(command, gateway);
    case "models":
      return (await import("./models.js")).models(command, gateway, terminal);
    case "try":
      return (await import("./try.js")).tryModel(command, gateway, remote);
    case "connect":
      return (await import("./connect.js")).connect(command, gateway, terminal);
    case "batch run":
      return (await import("./batch/run-batch.js")).runBatch(command, gateway, remote);
    case "reembed":
      return (await import("./reembed/reembed.js")).reembed(command, gateway, remote);
    case "keys create":
      return (await import("./keys.js")).createKey(command, gateway, terminal);
    case "keys list":
      return (await import("./keys.js")).listKeys(command, gateway, terminal);
    case "keys rotate":
      return (await import("./keys.js")).rotateKey(command, gateway, terminal);
    case "keys revoke":
      return (await import("./keys.js")).revokeKey(command, gateway);
  }
}
