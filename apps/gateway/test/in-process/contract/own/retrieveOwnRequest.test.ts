import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { adminGateway } from "../admin-gateway.js";
import { bodyOf, contract, saysError } from "../contract.js";
import { withoutKeyCases } from "./own-cases.js";

const context = adminGateway();
const unknown = "req_00000000000000000000000000000000";
const get = (id: string, key = testKey) => context.send(`/v1/key/requests/${id}`, { key });
const without = withoutKeyCases(context, `/v1/key/requests/${unknown}`);

contract("retrieveOwnRequest", {
  ...without,
  200: [
    {
      name: "the request as it is in the list",
      send: async () => {
        const { id, value } = await context.createKey();
        const [row] = await context.addRows({ keyId: id, status: 503, errorCode: "upstream_error" });
        const response = await get(row!.id, value);
        const list = await bodyOf(await context.send("/v1/key/requests", { key: value }));
        expect(list.data).toEqual([await bodyOf(response)]);
        return response;
      },
    },
  ],
  400: [
    ...without[400],
    { name: "a broken percent sign", send: () => get("a%ZZ"), expect: saysError("invalid_url") },
  ],
  404: [
    {
      name: "another key's request, as one that does not exist",
      send: async () => {
        const { id, value } = await context.createKey();
        const [row] = await context.addRows({ keyId: id });
        expect((await get(row!.id, value)).status).toBe(200);
        const messages = [await get(row!.id), await get(unknown)].map(async (response) =>
          (await bodyOf(response)).error.message.replace(/req_\w+/, "it"),
        );
        const [others, none] = await Promise.all(messages);
        expect(others).toBe(none);
        return get(row!.id);
      },
      expect: saysError("request_not_found", "request_id"),
    },
  ],
});
