import { expect } from "vitest";
import { listCases } from "../alias-cases.js";
import { contract } from "../contract.js";
import { contractGateway } from "../gateway.js";
import { sendBytes } from "../send-bytes.js";
import { saysOllamaError, saysSentence } from "./says-ollama-error.js";

const context = contractGateway("embedding");
const path = "/api/version";

contract("retrieveOllamaVersion", {
  200: [
    {
      name: "a version that clients can compare",
      send: () => context.gateway.send(path),
      expect: (body) => expect(body).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) }),
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
