import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { TestCall } from "../test/call.js";
import { providerTools } from "../test/tools.js";
import { createGoogleToken } from "./google-token.js";

const folder = mkdtempSync(join(tmpdir(), "google-token-"));
afterAll(() => rmSync(folder, { recursive: true }));

const request = { method: "POST", url: new URL("https://example.com"), headers: {}, body: undefined };
const account = {
  client_email: "a@b",
  private_key: "a-private-key",
  token_uri: "https://issuer.example/token",
};

test.each([
  ["text that is not JSON", "a-private-key"],
  ["a key of another kind", JSON.stringify({ type: "authorized_user", refresh_token: "a-private-key" })],
  ["an invalid address", JSON.stringify({ ...account, token_uri: "nowhere" })],
  ["a key that cannot sign", JSON.stringify(account)],
])("a credentials file with %s is a failure that quotes nothing of it", async (_name, content) => {
  const credentialsFile = join(folder, "key.json");
  writeFileSync(credentialsFile, content);
  const token = createGoogleToken({ credentialsFile }, providerTools());

  const failure: unknown = await Promise.resolve(token.authenticate(request, new TestCall())).catch(
    (error: unknown) => error,
  );

  expect(failure).toMatchObject({ code: "upstream_auth_error", nothingBilled: true });
  const { message, cause } = failure as Error;
  expect(`${message} ${String(cause)}`).not.toContain("a-private-key");
});
