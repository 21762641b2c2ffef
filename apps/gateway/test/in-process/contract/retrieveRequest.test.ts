import { expect } from "vitest";
import { adminGateway, otherCallersCases, storageFaultCase } from "./admin-gateway.js";
import { bodyOf, contract, saysError } from "./contract.js";

const context = adminGateway();
const unknown = "req_00000000000000000000000000000000";
const get = (id: string) => () => context.send(`/admin/v1/requests/${id}`);
const otherCallers = otherCallersCases(context, `/admin/v1/requests/${unknown}`);

contract("retrieveRequest", {
  200: [
    {
      name: "the request as it is in the list",
      send: async () => {
        const [row] = await context.addRows({
          keyId: "config:one",
          status: 503,
          errorCode: "upstream_error",
        });
        const list = await context.send("/admin/v1/requests?key=config:one");
        const response = await get(row!.id)();
        expect((await bodyOf(list)).data).toEqual([await bodyOf(response)]);
        return response;
      },
      expect: (body) => expect(body).toMatchObject({ status: 503, error_code: "upstream_error" }),
    },
  ],
  400: [
    { name: "a broken percent sign", send: get("a%ZZ"), expect: saysError("invalid_url") },
    {
      name: "an id that is too long",
      send: get("a".repeat(257)),
      expect: saysError("string_above_max_length", "request_id"),
    },
    {
      name: "a parameter that it lacks",
      send: get(`${unknown}?verbose`),
      expect: saysError("unknown_parameter", "verbose"),
    },
  ],
  401: otherCallers[401],
  403: otherCallers[403],
  404: [
    {
      name: "an unknown request",
      send: get(unknown),
      expect: (body, response) => {
        saysError("request_not_found", "request_id")(body, response);
        expect(body.error.message).toContain(`\`${unknown}\``);
      },
    },
    {
      name: "an id with a zero byte",
      send: get("req_%00"),
      expect: saysError("request_not_found", "request_id"),
    },
  ],
  500: [storageFaultCase(context, "faulty", get(unknown)), ...otherCallers[500]],
  503: [storageFaultCase(context, "unavailable", get(unknown)), ...otherCallers[503]],
});
