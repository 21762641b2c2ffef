import { createKeyText } from "@model-gateway/domain/key-text";
import type { Schemas } from "@model-gateway/domain/operations";
import { testKey } from "../../../gateway/test-gateway.js";
import { type AdminGateway, adminGateway, storageFaultCase } from "../admin-gateway.js";
import { bodyOf, type ContractCase, saysError } from "../contract.js";

export interface FileGateway extends AdminGateway {
  /** Uploads a form: text fields, and files by name. A field that is a list is sent several times. */
  upload(parts: Readonly<Record<string, Part | readonly Part[]>>, key?: string): Promise<Response>;
  /** Stores a file, and resolves to it. */
  store(content?: string, key?: string): Promise<Schemas["FileObject"]>;
}

type Part = string | { readonly content: string; readonly filename: string };

/** A gateway with small limits for files. */
export function fileGateway(): FileGateway {
  const context = adminGateway(
    (yaml) =>
      `${yaml}\nfiles: { fileBytesMax: 1000, keyBytesMax: 2000, keyFilesMax: 3, storeBytesMax: 1000000 }\n`,
  );
  const upload: FileGateway["upload"] = (parts, key = testKey) => {
    const form = new FormData();
    for (const [name, given] of Object.entries(parts)) {
      for (const part of [given].flat() as Part[]) {
        if (typeof part === "string") form.append(name, part);
        else form.append(name, new Blob([part.content]), part.filename);
      }
    }
    const headers = { authorization: `Bearer ${key}` };
    return context.gateway.send("/v1/files", { method: "POST", body: form, headers });
  };
  return {
    get gateway() {
      return context.gateway;
    },
    storage: context.storage,
    send: context.send,
    createSession: context.createSession,
    createKey: context.createKey,
    addRows: context.addRows,
    upload,
    store: async (content = "one\n", key) => {
      const owner = key ?? (await context.createKey()).value;
      return bodyOf(await upload({ purpose: "batch", file: { content, filename: "one.jsonl" } }, owner));
    },
  };
}

type Cases = readonly [ContractCase, ...ContractCase[]];

/** The responses of each operation to somebody without a key, and while the database is down. */
export function withoutKeyCases(
  context: FileGateway,
  path: string,
  method = "GET",
): Record<401 | 500 | 503, Cases> {
  const asTester = () => context.send(path, { method, key: testKey });
  return {
    401: [
      {
        name: "no key",
        send: () => context.send(path, { method, headers: { authorization: "" } }),
        expect: saysError("missing_api_key"),
      },
      {
        name: "an unknown key",
        send: () => context.send(path, { method, key: createKeyText("mg_") }),
        expect: saysError("invalid_api_key"),
      },
    ],
    500: [storageFaultCase(context, "faulty", asTester)],
    503: [storageFaultCase(context, "unavailable", asTester)],
  };
}

export const unknownFile = "file-00000000000000000000000000000000";

/** A file of another key, and one that does not exist: the same error. */
export function notFoundCases(
  context: FileGateway,
  send: (id: string, key?: string) => Promise<Response>,
): Cases {
  return [
    {
      name: "an unknown file",
      send: () => send(unknownFile),
      expect: (body, response) => {
        saysError("file_not_found", "file")(body, response);
        if (body.error.message !== `No such File object: ${unknownFile}`) throw new Error(body.error.message);
      },
    },
    {
      name: "a file of another key, in the same words",
      send: async () => {
        const { id } = await context.store();
        const response = await send(id);
        const { error } = await bodyOf(response);
        if (error.message !== `No such File object: ${id}`) throw new Error(error.message);
        return response;
      },
      expect: saysError("file_not_found", "file"),
    },
    {
      name: "an id that no file has",
      send: () => send("..%2Fgateway.db"),
      expect: saysError("file_not_found", "file"),
    },
  ];
}
