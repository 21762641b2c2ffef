import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Authentication } from "../../http/credentials/authentication.js";
import { TestCall } from "../../test/call.js";
import { providerTools } from "../../test/tools.js";
import { defineOpenAiLike } from "./define-provider.js";
import { readOpenAiError } from "./errors.js";

/** The headers of a request for one vector. */
async function headersOf(
  authenticate?: (settings: { readonly apiKey: string }) => Authentication,
): Promise<IncomingHttpHeaders> {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    seen.push(request.headers);
    response.setHeader("content-type", "application/json");
    response.end('{"data":[{"index":0,"embedding":[1]}],"usage":{"prompt_tokens":1,"total_tokens":1}}');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const provider = defineOpenAiLike({
    name: "acme",
    title: "Acme",
    baseUrl: "https://api.acme.example/v1",
    readError: readOpenAiError,
    bodyOf: ({ inputs }, model) => ({ model, input: inputs }),
    ...(authenticate && { authenticate }),
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const settings = provider.settings.parse({ provider: "acme", apiKey: "a-key", baseUrl });
  const described = provider.describe(settings, "/");
  const opened = await provider.open({ name: "acme", provider: "acme", ...described }, providerTools());
  onTestFinished(() => opened.close());
  await opened.operations.createEmbedding?.({ inputs: ["a"], encoding_format: "float" }, new TestCall());
  return seen[0] ?? {};
}

test("the key is a bearer token, or goes where the provider wants it", async () => {
  expect(await headersOf()).toMatchObject({ authorization: "Bearer a-key" });

  const headers = await headersOf(({ apiKey }) => ["x-api-key", apiKey]);
  expect(headers).toMatchObject({ "x-api-key": "a-key" });
  expect(headers).not.toHaveProperty("authorization");
});
