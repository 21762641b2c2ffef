import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A registry for the packages of this repository alone. npm gets others as usual. */
export interface NpmRegistry {
  readonly url: string;
  /** Makes npm ask here for packages of the scope, and lets it publish them. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function startNpmRegistry(): Promise<NpmRegistry> {
  const folder = mkdtempSync(join(tmpdir(), "npm-registry-"));
  const program = join(import.meta.dirname, "verdaccio.mjs");
  const server = fork(program, [folder], { cwd: folder, env: { PATH: process.env.PATH } });
  const ended = once(server, "exit");
  const [port] = await Promise.race([
    once(server, "message"),
    ended.then(([code]) => Promise.reject(new Error(`The registry ended with ${code}.`))),
  ]);
  const address = `127.0.0.1:${port}/`;
  return {
    url: `http://${address}`,
    environment: {
      "npm_config_@model-gateway:registry": `http://${address}`,
      [`npm_config_//${address}:_authToken`]: await createToken(`http://${address}`),
    },
    close: async () => {
      server.disconnect();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A user of the registry is created with its first password. https://github.com/npm/registry/blob/main/docs/user/authentication.md */
async function createToken(url: string): Promise<string> {
  const name = "publisher";
  const response = await fetch(`${url}-/user/org.couchdb.user:${name}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, password: "a password for one run" }),
  });
  const { token } = (await response.json()) as { token?: string };
  if (token === undefined) throw new Error(`The registry created no user: ${response.status}.`);
  return token;
}
