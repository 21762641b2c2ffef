import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { suiteGateway } from "../../gateway/suite.js";
import { testKey } from "../../gateway/test-gateway.js";
import { runCommand } from "./run-command.js";

const suite = suiteGateway(
  ({ baseUrl }) => `
upstreams: { main: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models: { text: { type: embedding, targets: [{ upstream: main, model: m }] } }`,
);

/** Another program, which is not a gateway. */
const website = createServer((_request, response) => response.end("<html>hello</html>"));
let websiteUrl: string;
/** Nothing listens there any more. */
let closedUrl: string;
beforeAll(async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  closedUrl = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
  await new Promise((resolve) => closed.close(resolve));
  await new Promise<void>((resolve) => website.listen(0, "127.0.0.1", resolve));
  websiteUrl = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => website.close(resolve)));

const commands = [
  ["status"],
  ["models"],
  ["try", "hello"],
  ["keys", "list"],
  ["keys", "create", "x"],
  ["keys", "revoke", "x"],
  ["connect", "dify"],
  ["logs"],
  ["logs", "--follow"],
];

test.each(commands)(
  "%s %s says that no gateway runs, which address was tried, and how to start one",
  async (...args) => {
    const { exitCode, stdout, stderr } = await runCommand(closedUrl, args);

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toBe(
      `No gateway responds at ${closedUrl} (MODEL_GATEWAY_URL, ECONNREFUSED). Start one with npx @model-gateway/gateway, or name another address with --url or MODEL_GATEWAY_URL.`,
    );
  },
);

test.each(commands)("%s %s says that another program listens there", async (...args) => {
  const { exitCode, stderr } = await runCommand(websiteUrl, args);

  expect(exitCode).toBe(1);
  expect(stderr).toContain(`${websiteUrl} does not respond as a Model Gateway. `);
});

const needKey = commands.filter(([name]) => name !== "status");

test.each(needKey)("%s %s says where the admin key comes from", async (...args) => {
  const { exitCode, stdout, stderr } = await runCommand(suite.gateway.url, args, { environment: {} });

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toContain(`This command needs the admin key of ${suite.gateway.url}. Set GATEWAY_ADMIN_KEY`);
  expect(stderr).toContain("DATA_DIR");
});

test.each(commands)("%s %s says which key was refused, and does not show it", async (...args) => {
  const environment = { GATEWAY_ADMIN_KEY: "a-wrong-admin-key" };

  const { exitCode, stderr } = await runCommand(suite.gateway.url, args, { environment });

  expect(exitCode).toBe(1);
  expect(stderr).toContain(`${suite.gateway.url} does not accept the key in GATEWAY_ADMIN_KEY. `);
  expect(stderr).not.toContain("a-wrong");
});

test("an API key in the place of the admin key is recognised", async () => {
  const environment = { GATEWAY_ADMIN_KEY: testKey };

  const { stderr } = await runCommand(suite.gateway.url, ["keys", "list"], { environment });

  expect(stderr).toContain("knows the key in GATEWAY_ADMIN_KEY as an API key, and not as the admin key.");
});

test("a host that does not exist is named", async () => {
  const { stderr } = await runCommand("http://gateway.invalid", ["status"]);

  expect(stderr).toMatch(
    /^No gateway responds at http:\/\/gateway\.invalid \(MODEL_GATEWAY_URL, (ENOTFOUND|EAI_AGAIN)\)/,
  );
});

test("an interrupted command says so", async () => {
  const interrupted = AbortSignal.abort();

  const { exitCode, stderr } = await runCommand(suite.gateway.url, ["status"], { signal: interrupted });

  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "Interrupted." });
});
