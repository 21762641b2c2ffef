import { expect } from "vitest";
import { adminGateway, otherCallersCases } from "./admin-gateway.js";
import { contract, saysError } from "./contract.js";

const context = adminGateway();
const path = "/admin/v1/models";
const noLimits = {
  requests_per_minute: null,
  requests_per_day: null,
  tokens_per_minute: null,
  tokens_per_day: null,
  images_per_minute: null,
  images_per_day: null,
  max_concurrency: null,
};
const target = {
  weight: 1,
  tier: 1,
  max_concurrency: null,
  requests_per_minute: null,
  tokens_per_minute: null,
};

contract("listAdminModels", {
  200: [
    {
      name: "every model with its targets, also one that cannot be served",
      send: () => context.send(path),
      expect: (body) =>
        expect(body).toEqual({
          object: "list",
          data: [
            {
              object: "admin.model",
              id: "far",
              type: "image",
              strategy: "ordered",
              status: "ready",
              status_reason: null,
              limits: noLimits,
              targets: [
                {
                  ...target,
                  upstream: "distant",
                  model: "far",
                  tier: 2,
                  max_concurrency: 3,
                  price_known: expect.any(Boolean),
                },
                { ...target, upstream: "local", model: "local-sketch", price_known: expect.any(Boolean) },
              ],
            },
            {
              object: "admin.model",
              id: "near",
              type: "embedding",
              strategy: "fastest",
              status: "ready",
              status_reason: null,
              limits: noLimits,
              targets: [
                {
                  ...target,
                  upstream: "local",
                  model: "gte-small",
                  weight: 2,
                  price_known: expect.any(Boolean),
                },
              ],
            },
            expect.objectContaining({ id: "gone", status: "unavailable", status_reason: expect.any(String) }),
          ],
          next_cursor: null,
        }),
    },
  ],
  400: [
    {
      name: "a parameter that is not there",
      send: () => context.send(`${path}?type=image`),
      expect: saysError("unknown_parameter", "type"),
    },
  ],
  ...otherCallersCases(context, path),
});
