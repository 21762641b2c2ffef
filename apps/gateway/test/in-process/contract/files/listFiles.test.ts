import { expect } from "vitest";
import { bodyOf, contract, saysError } from "../contract.js";
import { fileGateway, unknownFile, withoutKeyCases } from "./file-gateway.js";

const context = fileGateway();
const list = (query = "", key?: string) =>
  context.send(`/v1/files${query}`, key === undefined ? {} : { key });
const without = withoutKeyCases(context, "/v1/files");

async function keyWithFiles() {
  const { value } = await context.createKey();
  const ids: string[] = [];
  for (const content of ["1", "22", "333"]) ids.push((await context.store(content, value)).id);
  return { value, ids };
}
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

contract("listFiles", {
  ...without,
  200: [
    {
      name: "the key's own files, newest first",
      send: async () => {
        const { value, ids } = await keyWithFiles();
        await context.store();
        const response = await list("", value);
        const body = await bodyOf(response);
        expect(idsOf(body).sort()).toEqual([...ids].sort());
        expect(body).toMatchObject({ first_id: body.data[0].id, last_id: body.data[2].id, has_more: false });
        return response;
      },
    },
    {
      name: "all pages in the other order, though the last file of one is deleted meanwhile",
      send: async () => {
        const { value } = await keyWithFiles();
        const all = idsOf(await bodyOf(await list("?order=asc", value)));
        const first = await bodyOf(await list("?order=asc&limit=2", value));
        expect(idsOf(first)).toEqual(all.slice(0, 2));
        expect(first.has_more).toBe(true);
        await context.send(`/v1/files/${first.last_id}`, { method: "DELETE", key: value });
        const next = await list(`?order=asc&limit=2&after=${first.last_id}`, value);
        expect(idsOf(await bodyOf(next))).toEqual(all.slice(2));
        return next;
      },
      expect: (body) => expect(body.has_more).toBe(false),
    },
    {
      name: "none of another purpose",
      send: async () => list("?purpose=batch_output", (await keyWithFiles()).value),
      expect: (body) =>
        expect(body).toEqual({ object: "list", data: [], first_id: null, last_id: null, has_more: false }),
    },
    {
      name: "the files of all keys, for the admin key",
      send: async () => {
        const { id } = await context.store();
        const response = await list("?purpose=batch&limit=10000");
        expect(idsOf(await bodyOf(response))).toContain(id);
        return response;
      },
    },
    {
      name: "the files of all keys, for the session of an operator",
      send: async () => {
        const { id } = await context.store();
        const { value } = await context.createSession();
        const response = await list("", value);
        expect(idsOf(await bodyOf(response))).toContain(id);
        return response;
      },
    },
    {
      name: "a caller's own, for its session",
      send: async () => {
        const { value, ids } = await keyWithFiles();
        const session = await context.createSession(value);
        const response = await list("?order=asc", session.value);
        expect(idsOf(await bodyOf(response)).sort()).toEqual([...ids].sort());
        return response;
      },
    },
    { name: "nothing after the first id there can be", send: () => list(`?after=${unknownFile}`) },
  ],
  400: [
    {
      name: "an unknown purpose",
      send: () => list("?purpose=vision"),
      expect: saysError("invalid_value", "purpose"),
    },
    { name: "another order", send: () => list("?order=up"), expect: saysError("invalid_value", "order") },
    {
      name: "no files at all",
      send: () => list("?limit=0"),
      expect: saysError("integer_below_min_value", "limit"),
    },
    {
      name: "too many files",
      send: () => list("?limit=10001"),
      expect: saysError("integer_above_max_value", "limit"),
    },
    {
      name: "a number that is none",
      send: () => list("?limit=a"),
      expect: saysError("invalid_type", "limit"),
    },
    {
      name: "an id that is none",
      send: () => list("?after=batch_1"),
      expect: saysError("invalid_value", "after"),
    },
    {
      name: "two orders",
      send: () => list("?order=asc&order=desc"),
      expect: saysError("duplicate_parameter", "order"),
    },
  ],
});
