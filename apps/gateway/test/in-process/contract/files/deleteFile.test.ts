import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { contract, saysError } from "../contract.js";
import { fileGateway, notFoundCases, unknownFile, withoutKeyCases } from "./file-gateway.js";

const context = fileGateway();
const remove = (id: string, key = testKey) => context.send(`/v1/files/${id}`, { method: "DELETE", key });
const stored = () => readdirSync(join(context.gateway.dataDir, "files"));

contract("deleteFile", {
  ...withoutKeyCases(context, `/v1/files/${unknownFile}`, "DELETE"),
  200: [
    {
      name: "a file of the key, whose bytes are free then",
      send: async () => {
        const { value } = await context.createKey();
        const { id } = await context.store("one\n", value);
        expect(stored()).toContain(id);
        return remove(id, value);
      },
      expect: (body) => {
        expect(body).toEqual({ id: expect.any(String), object: "file", deleted: true });
        expect(stored()).not.toContain(body.id);
      },
    },
    {
      name: "any file, for the admin key",
      send: async () => context.send(`/v1/files/${(await context.store()).id}`, { method: "DELETE" }),
    },
  ],
  400: [{ name: "a broken percent sign", send: () => remove("a%ZZ"), expect: saysError("invalid_url") }],
  404: [
    ...notFoundCases(context, remove),
    {
      name: "a file that was deleted already",
      send: async () => {
        const { value } = await context.createKey();
        const { id } = await context.store("one\n", value);
        await remove(id, value);
        return remove(id, value);
      },
      expect: saysError("file_not_found", "file"),
    },
  ],
});
