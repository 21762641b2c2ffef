import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { testKey } from "../../../gateway/test-gateway.js";
import { contract, saysError } from "../contract.js";
import { fileGateway, notFoundCases, unknownFile, withoutKeyCases } from "./file-gateway.js";

const context = fileGateway();
const content = "0123456789\n";
const get = (id: string, key = testKey, headers: Record<string, string> = {}) =>
  context.send(`/v1/files/${id}/content`, { key, headers });
const without = withoutKeyCases(context, `/v1/files/${unknownFile}/content`);

/** The content of a new file, asked for in some way. */
function ask(init: { headers?: Record<string, string>; method?: string } = {}) {
  return async () => {
    const { value } = await context.createKey();
    const { id } = await context.store(content, value);
    return context.send(`/v1/files/${id}/content`, { key: value, ...init });
  };
}
const part = (range: string) => ask({ headers: { range } });
const isText = (text: string) => (body: Buffer, response: Response) => {
  expect(String(body)).toBe(text);
  expect(response.headers.get("content-length")).toBe(String(text.length));
};

contract("retrieveFileContent", {
  ...without,
  200: [
    {
      name: "the bytes, which a browser saves",
      send: ask(),
      expect: (body, response) => {
        isText(content)(body, response);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          "content-type": "application/octet-stream",
          "content-disposition": 'attachment; filename="one.jsonl"',
          "accept-ranges": "bytes",
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
        });
      },
    },
    {
      name: "a name in another script",
      send: async () => {
        const { value } = await context.createKey();
        const file = { content, filename: 'Größe "文件".jsonl' };
        const { id } = (await (await context.upload({ purpose: "batch", file }, value)).json()) as {
          id: string;
        };
        return get(id, value);
      },
      expect: (_body, response) =>
        expect(response.headers.get("content-disposition")).toBe(
          `attachment; filename="Gr__e ____.jsonl"; filename*=UTF-8''${encodeURIComponent('Größe "文件".jsonl')}`,
        ),
    },
    {
      name: "its head alone",
      send: ask({ method: "HEAD" }),
      expect: (body, response) => {
        expect(body).toHaveLength(0);
        expect(response.headers.get("content-length")).toBe(String(content.length));
      },
    },
    {
      name: "an empty file",
      send: async () => context.send(`/v1/files/${(await context.store("")).id}/content`),
    },
    { name: "all of it for several ranges", send: part("bytes=0-1,3-4"), expect: isText(content) },
    {
      name: "all of it for a part of another version",
      send: ask({ headers: { range: "bytes=0-1", "if-range": '"other"' } }),
      expect: isText(content),
    },
    {
      name: "any file, for the admin key",
      send: async () => context.send(`/v1/files/${(await context.store(content)).id}/content`),
      expect: isText(content),
    },
  ],
  206: [
    { name: "the first bytes", send: part("bytes=0-3"), expect: isText("0123") },
    { name: "the last bytes", send: part("bytes=-3"), expect: isText("89\n") },
    {
      name: "from a byte on",
      send: part("bytes=8-"),
      expect: (body, response) => {
        isText("89\n")(body, response);
        expect(response.headers.get("content-range")).toBe("bytes 8-10/11");
      },
    },
  ],
  400: [{ name: "a broken percent sign", send: () => get("a%ZZ"), expect: saysError("invalid_url") }],
  404: notFoundCases(context, get),
  416: [
    { name: "a range behind the end", send: part("bytes=11-"), expect: saysError("range_not_satisfiable") },
  ],
  503: [
    ...without[503],
    {
      name: "a file whose bytes are not here",
      send: async () => {
        const { id } = await context.store(content);
        rmSync(join(context.gateway.dataDir, "files", id));
        return context.send(`/v1/files/${id}/content`);
      },
      expect: saysError("file_store_unavailable"),
    },
  ],
});
