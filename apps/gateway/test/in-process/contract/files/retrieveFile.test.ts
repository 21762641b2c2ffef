import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { bodyOf, contract, saysError } from "../contract.js";
import { fileGateway, notFoundCases, unknownFile, withoutKeyCases } from "./file-gateway.js";

const context = fileGateway();
const get = (id: string, key = testKey) => context.send(`/v1/files/${id}`, { key });

contract("retrieveFile", {
  ...withoutKeyCases(context, `/v1/files/${unknownFile}`),
  200: [
    {
      name: "the file as its upload had it",
      send: async () => {
        const { value } = await context.createKey();
        const file = await context.store("one\n", value);
        const response = await get(file.id, value);
        expect(await bodyOf(response)).toEqual(file);
        return response;
      },
    },
    {
      name: "any file, for the admin key",
      send: async () => context.send(`/v1/files/${(await context.store()).id}`),
      expect: (body) => expect(body.filename).toBe("one.jsonl"),
    },
  ],
  400: [{ name: "a broken percent sign", send: () => get("a%ZZ"), expect: saysError("invalid_url") }],
  404: notFoundCases(context, get),
});
