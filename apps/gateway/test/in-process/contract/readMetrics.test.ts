import { expect } from "vitest";
import { adminGateway, otherCallersCases } from "./admin-gateway.js";
import { contract, saysError } from "./contract.js";

const context = adminGateway();
const path = "/metrics";

contract("readMetrics", {
  200: [
    {
      name: "text that a scraper reads",
      send: () => context.send(path),
      expect: (body, response) => {
        expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=/);
        expect(body).toMatch(/^# /);
      },
    },
  ],
  400: [
    {
      name: "a parameter that is not there",
      send: () => context.send(`${path}?name=up`),
      expect: saysError("unknown_parameter", "name"),
    },
  ],
  ...otherCallersCases(context, path),
});
