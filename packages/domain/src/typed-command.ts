import { basename, delimiter, dirname } from "node:path";

/** The parts of a process that tell how it was started. */
interface StartedProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The address of the code that runs. It names the package where that is installed. */
  readonly code: string;
}

/**
 * A command of the gateway as a person here types it, for a message to paste from: after `npx @model-gateway/gateway`, the
 * next command begins so as well.
 *
 * @param rest The command and its arguments, such as `keys list`.
 */
export function typedCommand(
  rest: string,
  started: StartedProcess = { argv: process.argv, env: process.env, code: import.meta.url },
): string {
  return `${programOf(started)} ${rest}`.trimEnd();
}

/** The file names under which the gateway's own code is started. Any other is a program that contains it, such as a test. */
const ownFiles: ReadonlySet<string> = new Set(["bin.mjs", "main.js", "start.mjs", "model-gateway"]);

function programOf({ argv: [, file = ""], env, code }: StartedProcess): string {
  const script = env.npm_lifecycle_event;
  // The name in the package.json of the repository.
  if (env.npm_package_name === "model-gateway" && (script === "start" || script === "dev"))
    return "npm start --";
  // The scoped name: npx would install any package that is called as the command.
  if (script !== undefined || !ownFiles.has(basename(file))) return `npx ${packageOf(code)}`;
  const folders = (env.PATH ?? "").split(delimiter);
  if (basename(file) === "model-gateway" && folders.includes(dirname(file))) return "model-gateway";
  return `node ${quoted(file)}`;
}

function packageOf(code: string): string {
  return /\/node_modules\/(@model-gateway\/gateway(?:-slim)?)\//.exec(code)?.[1] ?? "@model-gateway/gateway";
}

/** A word of a command in a POSIX shell. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
