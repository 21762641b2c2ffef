import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { collect } from "../gateway/built.js";

const root = join(import.meta.dirname, "../..");

test("a change of a source restarts the gateway, and a source that cannot be read does not", async () => {
  const { folder, addresses, output } = watchCopy();
  const status = async () => {
    const url = addresses().at(-1);
    if (url === undefined) return undefined;
    // The address may belong to a gateway that is stopping.
    const response = await fetch(`${url}/healthz`).catch(() => undefined);
    return ((await response?.json()) as { status?: string } | undefined)?.status;
  };
  const source = join(folder, "src/api/operations/checkHealth.ts");
  const text = readFileSync(source, "utf8");
  await expect.poll(status, { timeout: 120_000 }).toBe("ok");

  writeFileSync(source, "export const = ;");
  await expect.poll(output, { timeout: 120_000 }).toContain("The sources cannot be bundled.");
  expect(await status()).toBe("ok");
  expect(addresses()).toHaveLength(1);

  writeFileSync(source, text.replace('"ok"', '"changed"'));
  await expect.poll(status, { timeout: 120_000 }).toBe("changed");
});

/** Watches a copy of the sources: a change of the real ones would disturb other tests. */
function watchCopy() {
  // Inside the package, so that the copy finds the packages that it needs.
  mkdirSync(join(root, ".dev"), { recursive: true });
  const folder = mkdtempSync(join(root, ".dev/test-"));
  cpSync(join(root, "src"), join(folder, "src"), { recursive: true });
  // Its version is the gateway's.
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  const options = { source: join(folder, "src"), out: join(folder, "out"), args: [] };
  const module = join(root, "watch-gateway.mjs");
  const program = `(await import(${JSON.stringify(module)})).watchGateway(${JSON.stringify(options)})`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = [collect(child.stdout), collect(child.stderr)];
  const output = () => said.map((read) => read()).join("");
  onTestFinished(async () => {
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    output,
    addresses: () => [...output().matchAll(/^Model Gateway is listening on (\S+)$/gm)].map(([, url]) => url),
  };
}
