import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { GatewayFolder, type LaunchedGateway } from "../../gateway/built.js";
import { describeServed, type OpenStage, openServers } from "../../servers/stages.js";

const config = `
upstreams: { local: { provider: local } }
models: { sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] } }
`;

describe("one process", () => testFirstStart(1));
describeServed("two workers", () => testFirstStart(2));

/** The admin key is created once and stored as a digest, so that a key which is not printed is lost for good. */
function testFirstStart(workers: number): void {
  let home: GatewayFolder | undefined;
  let servers: OpenStage | undefined;
  afterEach(async () => {
    await home?.remove();
    await servers?.close();
  });

  const openHome = async (): Promise<GatewayFolder> => {
    servers = workers === 1 ? undefined : await openServers();
    home = new GatewayFolder(config, {
      ...servers?.environment,
      WORKERS: String(workers),
      // The admin key of other tests is left out.
      GATEWAY_ADMIN_KEY: "",
    });
    return home;
  };
  const printedBy = (...gateways: LaunchedGateway[]) =>
    gateways.flatMap((gateway) => gateway.stdout().match(/mg_admin_\w+/g) ?? []);
  const isAdmin = async (url: string, key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${url}/admin/v1/keys`, { headers })).status === 200;
  };

  test("the admin key is printed once, by whichever process creates it", async () => {
    const launched = (await openHome()).launch();
    const url = await launched.listening();

    const printed = printedBy(launched);

    expect(printed).toHaveLength(1);
    expect(await isAdmin(url, printed[0] ?? "")).toBe(true);
  });

  test("the secret in run.json opens the admin API of every process", async () => {
    const folder = await openHome();
    const url = await folder.launch().listening();
    const { secret } = JSON.parse(readFileSync(join(folder.folder, "data/run.json"), "utf8"));

    const accepted = await Promise.all(Array.from({ length: 8 }, () => isAdmin(url, secret)));

    expect(accepted).toEqual(Array.from({ length: 8 }, () => true));
    expect(folder.output).not.toContain(secret);
  });

  test("a first start that finds its port taken creates no admin key, and the next one prints it", async () => {
    const folder = await openHome();
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;

    const failed = folder.launch({ PORT: String(port) });
    expect(await failed.exit).toBe(1);
    expect(failed.stderr()).toMatch(/address already in use/);
    taken.close();
    const second = folder.launch({ PORT: String(port) });
    const url = await second.listening();

    const printed = printedBy(second);
    expect(printedBy(failed)).toEqual([]);
    expect(printed).toHaveLength(1);
    expect(await isAdmin(url, printed[0] ?? "")).toBe(true);
  });
}
