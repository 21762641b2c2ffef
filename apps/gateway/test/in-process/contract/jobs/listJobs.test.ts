import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { adminGateway } from "../admin-gateway.js";
import { bodyOf, contract, saysError } from "../contract.js";
import { withoutKeyCases } from "../own/own-cases.js";
import { addJob } from "./job-gateway.js";

const context = adminGateway();
const path = "/v1/jobs";
const without = withoutKeyCases(context, path);
const refused = (query: string) => () => context.send(`${path}?${query}`, { key: testKey });

contract("listJobs", {
  ...without,
  200: [
    {
      name: "the jobs of the key alone, newest first, in pages",
      send: async () => {
        const { id: keyId, value: key } = await context.createKey();
        const older = await addJob(context, { keyId, createdAt: 1000 });
        const newer = await addJob(context, { keyId, createdAt: 2000 });
        await addJob(context);
        const first = await bodyOf(await context.send(`${path}?limit=1`, { key }));
        const response = await context.send(`${path}?limit=1&cursor=${first.next_cursor}`, { key });
        const second = await bodyOf(response);
        expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual([
          newer.id,
          older.id,
        ]);
        return response;
      },
      expect: (body) => {
        expect(body.next_cursor).toBeNull();
        expect(body.data[0]).not.toHaveProperty("response");
      },
    },
    {
      name: "the jobs with a status",
      send: async () => {
        const { id: keyId, value: key } = await context.createKey();
        await addJob(context, { keyId, status: "cancelled" });
        await addJob(context, { keyId });
        return context.send(`${path}?status=cancelled`, { key });
      },
      expect: (body) => expect(body.data).toMatchObject([{ status: "cancelled" }]),
    },
  ],
  400: [
    ...without[400],
    { name: "a broken cursor", send: refused("cursor=a"), expect: saysError("invalid_value", "cursor") },
    { name: "an unknown status", send: refused("status=lost"), expect: saysError("invalid_value", "status") },
    {
      name: "too many at once",
      send: refused("limit=1001"),
      expect: saysError("integer_above_max_value", "limit"),
    },
  ],
});
