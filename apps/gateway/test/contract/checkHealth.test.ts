import { expect } from "vitest";
import { contract } from "./contract.js";
import { contractGateway } from "./gateway.js";

const context = contractGateway("embedding");

contract("checkHealth", {
  200: [
    {
      name: "the process lives, and no key is needed to know it",
      send: () => fetch(`${context.gateway.url}/healthz`),
      expect: (body) => expect(body).toEqual({ status: "ok" }),
    },
  ],
});
