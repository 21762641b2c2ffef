import { testKey } from "../../../gateway/test-gateway.js";
import type { AdminGateway } from "../admin-gateway.js";
import { bodyOf } from "../contract.js";

export const unknownBatch = "batch_000000000000000000000000";

/** Creates batches of a key in the gateway of a contract test. */
export function batchesOf(context: AdminGateway) {
  const upload = async (lines: string, key = testKey): Promise<string> => {
    const form = new FormData();
    form.append("purpose", "batch");
    form.append("file", new File([lines], "requests.jsonl"));
    const headers = { authorization: `Bearer ${key}` };
    const response = await context.gateway.send("/v1/files", { method: "POST", body: form, headers });
    return (await bodyOf(response)).id;
  };
  const createFor = (
    input_file_id: string,
    { key = testKey, ...more }: { readonly key?: string; readonly [name: string]: unknown } = {},
  ) =>
    context.send("/v1/batches", {
      method: "POST",
      key,
      json: { input_file_id, endpoint: "/v1/embeddings", completion_window: "24h", ...more },
    });
  return {
    upload,
    createFor,
    /** A batch whose upstream is down, so that it does not end by itself. */
    create: async (key = testKey): Promise<string> => {
      const response = await createFor(await upload(`${line("any-model")}\n`, key), { key });
      return (await bodyOf(response)).id;
    },
    /** A batch that has failed. */
    createFaulty: async (key = testKey, lines = "{\n"): Promise<string> => {
      const { id } = await bodyOf(await createFor(await upload(lines, key), { key }));
      for (;;) {
        const { status } = await bodyOf(await context.send(`/v1/batches/${id}`, { key }));
        if (status === "failed") return id;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

export function line(model: string): string {
  return JSON.stringify({
    custom_id: "one",
    method: "POST",
    url: "/v1/embeddings",
    body: { model, input: "A text." },
  });
}
