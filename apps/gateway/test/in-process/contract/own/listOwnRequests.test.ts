import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { adminGateway } from "../admin-gateway.js";
import { bodyOf, contract, saysError } from "../contract.js";
import { withoutKeyCases } from "./own-cases.js";

const context = adminGateway();
const path = "/v1/key/requests";
const without = withoutKeyCases(context, path);
const attempt = { upstream: "local", model: "m", status: 500, ms: 1, reason: "status 500" };
const failure = {
  message: "Nothing listens at local.example.",
  callerMessage: "It failed.",
  param: null,
  requestedModel: "near",
  attempts: [attempt],
};
const refused = (query: string) => () => context.send(`${path}?${query}`, { key: testKey });

contract("listOwnRequests", {
  ...without,
  200: [
    {
      name: "the requests of the key alone, with nothing about upstreams",
      send: async () => {
        const { id, value } = await context.createKey();
        const [own] = await context.addRows(
          { keyId: id, status: 502, errorCode: "upstream_error", upstream: "local", failure },
          { keyId: "config:tester" },
          { keyId: `${id}0` },
        );
        const response = await context.send(path, { key: value });
        const { data } = await bodyOf(response);
        const shown = { message: "It failed.", param: null, requested_model: "near" };
        expect(data).toMatchObject([{ id: own!.id, status: 502, failure: shown }]);
        expect(JSON.stringify(data)).not.toMatch(/local|upstream"|key_/);
        return response;
      },
    },
    {
      name: "pages, of failed requests in a time",
      send: async () => {
        const { id, value } = await context.createKey();
        const failed = { keyId: id, status: 429 };
        const rows = await context.addRows(
          { ...failed, at: 3000 },
          { ...failed, at: 2000 },
          { ...failed, at: 9000 },
          { keyId: id, at: 1000 },
          { ...failed, keyId: "config:tester", at: 2500 },
        );
        const query = "failed=true&from=1&to=4&limit=1";
        const first = await bodyOf(await context.send(`${path}?${query}`, { key: value }));
        const next = `${path}?${query}&cursor=${first.next_cursor}`;
        const response = await context.send(next, { key: value });
        const second = await bodyOf(response);
        expect([...first.data, ...second.data].map((one: { id: string }) => one.id)).toEqual([
          rows[0]!.id,
          rows[1]!.id,
        ]);
        // A cursor does not carry the key: with another one it lists that key's requests.
        const others = await bodyOf(await context.send(next, { key: testKey }));
        expect(
          others.data.filter((one: { id: string }) => rows.slice(0, 4).some(({ id }) => id === one.id)),
        ).toEqual([]);
        return response;
      },
      expect: (body) => expect(body.next_cursor).toBeNull(),
    },
    {
      name: "the request of a job, and not that of another key's job",
      send: async () => {
        const { id, value } = await context.createKey();
        const [own] = await context.addRows(
          { keyId: id, jobId: "job_own" },
          { keyId: "config:tester", jobId: "job_other" },
        );
        const other = await bodyOf(await context.send(`${path}?job=job_other`, { key: value }));
        expect(other.data).toEqual([]);
        const response = await context.send(`${path}?job=job_own`, { key: value });
        expect((await bodyOf(response)).data).toMatchObject([{ id: own!.id, job_id: "job_own" }]);
        return response;
      },
    },
  ],
  400: [
    ...without[400],
    {
      name: "an upstream",
      send: refused("upstream=local"),
      expect: saysError("unknown_parameter", "upstream"),
    },
    { name: "a model", send: refused("model=near"), expect: saysError("unknown_parameter", "model") },
    {
      name: "requests that succeeded alone",
      send: refused("failed=false"),
      expect: saysError("invalid_value", "failed"),
    },
    { name: "a broken cursor", send: refused("cursor=a"), expect: saysError("invalid_value", "cursor") },
    {
      name: "an end before its start",
      send: refused("from=5&to=4"),
      expect: saysError("invalid_value", "to"),
    },
  ],
});
