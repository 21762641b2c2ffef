import { expect } from "vitest";
import { contract, saysError } from "./contract.js";
import { contractGateway } from "./gateway.js";
import { sendBytes } from "./send-bytes.js";

const context = contractGateway("embedding");

contract("checkHealth", {
  200: [
    {
      name: "the process lives, and no key is needed to know it",
      send: () => fetch(`${context.gateway.url}/healthz`),
      expect: (body) => expect(body).toEqual({ status: "ok" }),
    },
  ],
  400: [
    {
      name: "a request without a host",
      send: () => sendBytes(context.gateway.url, "GET /healthz HTTP/1.1\r\n\r\n"),
      expect: saysError("invalid_http"),
    },
  ],
});
