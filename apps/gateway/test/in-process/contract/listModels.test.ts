import { expect } from "vitest";
import { contract, saysError } from "./contract.js";
import { contractGateway } from "./gateway.js";
import { sendBytes } from "./send-bytes.js";

const context = contractGateway("embedding");

contract("listModels", {
  200: [
    {
      name: "every model, in the order of the configuration",
      send: () => context.gateway.send("/v1/models"),
      expect: (body) =>
        expect(body.data.slice(0, 2).map((model: { id: string }) => model.id)).toEqual([
          "good",
          "status-400",
        ]),
    },
    {
      name: "a model whose upstream fails, without the name of the upstream in the reason",
      send: async () => {
        await context.gateway.sendJson("/v1/embeddings", { model: "status-500", input: "a" });
        return context.gateway.send("/v1/models");
      },
      expect: ({ data }) =>
        expect(data.find(({ id }: { id: string }) => id === "status-500")).toMatchObject({
          status: "failing",
          status_reason: "None of its upstreams works at the moment.",
          failing_since: expect.any(Number),
        }),
    },
    {
      name: "only what the key may call",
      send: async () => context.gateway.send("/v1/models", await context.restricted()),
      expect: (body) => expect(body.data).toEqual([]),
    },
  ],
  400: [
    {
      name: "a request without a host",
      send: () => sendBytes(context.gateway.url, "GET /v1/models HTTP/1.1\r\n\r\n"),
      expect: saysError("invalid_http"),
    },
  ],
  401: [
    {
      name: "a wrong key",
      send: () => context.gateway.send("/v1/models", { headers: { authorization: "Bearer wrong" } }),
      expect: saysError("invalid_api_key"),
    },
  ],
  500: [
    {
      name: "a bug",
      send: () => context.broken(() => context.gateway.send("/v1/models")),
      expect: saysError("internal_error"),
    },
  ],
  503: [
    {
      name: "a key that only the database knows, while it is down",
      send: () => context.sendWithoutStorage("/v1/models"),
      expect: saysError("storage_unavailable"),
    },
  ],
});
