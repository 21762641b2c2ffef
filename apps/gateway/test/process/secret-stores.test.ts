import { type FakeIssuer, startFakeIssuer } from "@model-gateway/providers/test/fake-issuer";
import { type FakeVault, startFakeVault } from "@model-gateway/providers/test/fake-vault";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BuiltGateway, GatewayFolder } from "../gateway/built.js";
import { testKey } from "../gateway/test-gateway.js";

/** The built gateway with secrets in a Vault and in a file, which others replace while it runs. */
let folder: GatewayFolder;
let gateway: BuiltGateway;
let vault: FakeVault;
let upstream: FakeIssuer;

beforeEach(async () => {
  folder = new GatewayFolder();
  vault = await startFakeVault();
  vault.tokens.set("hvs.the-token-of-vault", 0);
  upstream = await startFakeIssuer(() => ({
    body: {
      object: "list",
      model: "m",
      data: [{ object: "embedding", index: 0, embedding: [1, 0] }],
      usage: { prompt_tokens: 1, total_tokens: 1 },
    },
  }));
});
afterEach(async () => {
  await folder.remove();
  vault.close();
  upstream.close();
});

const embed = (model: string, input: string) =>
  fetch(`${gateway.url}/v1/embeddings`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model, input }),
  });

/** The key that the upstream receives next. */
async function nextKey(model: string, input: string): Promise<string | undefined> {
  expect((await embed(model, input)).status).toBe(200);
  return upstream.requests.at(-1)?.headers.authorization;
}

test("another secret in Vault or in a file is in force without a restart, and none is in the log", async () => {
  vault.documents.set("secret/gateway", { openai: "first-key-of-vault" });
  folder.write("key", "first-key-of-file\n");
  folder.configure(`
secrets: { every: 1s, vault: { address: "${vault.origin}", auth: { token: hvs.the-token-of-vault } } }
keys: [{ name: test, key: ${testKey} }]
upstreams:
  vault: { provider: openai, baseUrl: "${upstream.origin}/v1", apiKey: "\${vault:secret/gateway#openai}" }
  file: { provider: openai, baseUrl: "${upstream.origin}/v1", apiKey: "\${file:${folder.folder}/key}" }
models:
  vault: { type: embedding, targets: [{ upstream: vault, model: m }] }
  file: { type: embedding, targets: [{ upstream: file, model: m }] }
`);
  gateway = await folder.start();
  expect(await nextKey("vault", "1")).toBe("Bearer first-key-of-vault");
  expect(await nextKey("file", "1")).toBe("Bearer first-key-of-file");

  vault.documents.set("secret/gateway", { openai: "second-key-of-vault" });
  folder.write("key", "second-key-of-file\n");
  let count = 1;
  const next = () => {
    count += 1;
    return String(count);
  };
  await expect.poll(() => nextKey("vault", next())).toBe("Bearer second-key-of-vault");
  await expect.poll(() => nextKey("file", next())).toBe("Bearer second-key-of-file");

  vault.isDown = true;
  await expect
    .poll(gateway.stdout)
    .toContain("A secret could not be read again. Its last value stays in use.");
  expect(await nextKey("vault", "down")).toBe("Bearer second-key-of-vault");
  expect(gateway.stdout()).not.toMatch(/key-of-(vault|file)|hvs\.the/);
});
