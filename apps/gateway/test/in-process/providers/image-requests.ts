import { expect } from "vitest";
import type { TestGateway } from "../../gateway/test-gateway.js";

/** Sends requests for images, and reads the responses. */
export function imageRequests(gateway: () => TestGateway) {
  return {
    create: (body: object, init: RequestInit = {}): Promise<Response> =>
      gateway().sendJson("/v1/images/generations", { prompt: "a fox", ...body }, init),
    /** @param fields Texts, and files; several of one name are a list. */
    edit: (fields: Readonly<Record<string, string | Buffer | readonly Buffer[]>>): Promise<Response> => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ prompt: "a hat", ...fields })) {
        if (typeof value === "string") form.append(name, value);
        else for (const file of [value].flat()) form.append(name, fileOf(file), "image.png");
      }
      return gateway().send("/v1/images/edits", { method: "POST", body: form });
    },
  };
}

function fileOf(content: Buffer): Blob {
  return new Blob([new Uint8Array(content)], { type: "image/png" });
}

export async function imagesOf(response: Response): Promise<[Buffer, ...Buffer[]]> {
  const body = (await response.json()) as { data: { b64_json: string }[] };
  expect([response.status, body]).toEqual([200, expect.anything()]);
  const [first = Buffer.alloc(0), ...others] = body.data.map(({ b64_json }) =>
    Buffer.from(b64_json, "base64"),
  );
  return [first, ...others];
}

export async function errorOf(response: Response): Promise<Record<string, unknown>> {
  const { error } = (await response.json()) as { error: Record<string, unknown> };
  return { status: response.status, ...error };
}
