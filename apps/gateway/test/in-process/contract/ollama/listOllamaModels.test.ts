import { expect } from "vitest";
import { listCases } from "../alias-cases.js";
import { contract } from "../contract.js";
import { contractGateway } from "../gateway.js";
import { sendBytes } from "../send-bytes.js";
import { saysOllamaError, saysSentence } from "./says-ollama-error.js";

const context = contractGateway("embedding");
const path = "/api/tags";

contract("listOllamaModels", {
  200: [
    {
      name: "the embedding models, and no others",
      send: () => context.gateway.send(path),
      expect: (body) => {
        expect(body.models[0]).toMatchObject({ name: "good:latest", model: "good:latest", size: 0 });
        expect(body.models[0].digest).toMatch(/^[0-9a-f]{64}$/);
        expect(body.models.map((model: { name: string }) => model.name)).not.toContain("other-type:latest");
      },
    },
    {
      name: "only what the key may call",
      send: async () => context.gateway.send(path, await context.restricted()),
      expect: (body) => expect(body).toEqual({ models: [] }),
    },
  ],
  400: [
    {
      name: "a request without a host",
      send: () => sendBytes(context.gateway.url, `GET ${path} HTTP/1.1\r\n\r\n`),
      expect: saysSentence("Host"),
    },
  ],
  ...listCases({ context, says: saysOllamaError }, path),
});
