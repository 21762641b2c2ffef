import { z } from "zod";
import { type FakeHost, type HostedJob, hostedImage } from "../hosted-image.js";
import { type JobRequest, startJobServer } from "../job-server.js";
import type { FakeReply } from "../strict-server.js";

export const replicateKey = "r8_0123456789";
/** The version of a model that is not an official one. */
export const version = "5".repeat(64);

const ratio = z
  .enum(["1:1", "16:9", "21:9", "3:2", "2:3", "4:5", "5:4", "3:4", "4:3", "9:16", "9:21"])
  .optional();
const dataUrl = z.string().regex(/^data:image\/(png|jpeg|webp);base64,/);
const common = {
  prompt: z.string().min(1),
  seed: z.int().min(0).optional(),
  output_format: z.enum(["webp", "jpg", "png"]).default("webp"),
};
const inputs: Readonly<Record<string, z.ZodObject>> = {
  "black-forest-labs/flux-schnell": z.strictObject({
    ...common,
    aspect_ratio: ratio,
    num_outputs: z.int().min(1).max(4).default(1),
  }),
  "black-forest-labs/flux-kontext-pro": z.strictObject({
    ...common,
    aspect_ratio: ratio,
    input_image: dataUrl.optional(),
  }),
  "black-forest-labs/flux-fill-pro": z.strictObject({ ...common, image: dataUrl, mask: dataUrl.optional() }),
  [version]: z.strictObject({
    prompt: z.string().min(1),
    steps: z.int(),
    width: z.int().optional(),
    height: z.int().optional(),
    pictures: z.array(dataUrl).optional(),
  }),
};

/** A server that speaks Replicate's predictions, and refuses fields that a model's schema does not name. */
export async function startFakeReplicate(): Promise<FakeHost> {
  const jobs: HostedJob[] = [];
  const running = new Map<string, HostedJob & { looks: number; images: Buffer[] }>();
  const prediction = (id: string, origin: string, status?: number): FakeReply => {
    const job = running.get(id);
    if (job === undefined) return refusal(404, "Prediction not found");
    const { pending = 0, end = "done" } = job;
    job.looks += 1;
    const urls = { get: `${origin}/v1/predictions/${id}`, cancel: `${origin}/v1/predictions/${id}/cancel` };
    const links = job.images.map((_image, index) => job.link ?? `${origin}/delivery/${id}/${index}`);
    const state = job.looks > pending ? states[end] : { status: "processing" };
    const output = state.status !== "succeeded" ? null : links.length === 1 ? links[0] : links;
    const metrics = state.status !== "succeeded" ? {} : { predict_time: 2.4, total_time: 3.1 };
    return { ...(status && { status }), body: { id, error: null, ...state, output, metrics, urls } };
  };
  const submit = async ({ path, headers, body }: JobRequest, origin: string): Promise<FakeReply> => {
    const parsed = z
      .strictObject({ version: z.string().optional(), input: z.record(z.string(), z.unknown()) })
      .safeParse(body);
    const [, official] = /^\/v1\/models\/(.+)\/predictions$/.exec(path) ?? [];
    const model = inputs[official ?? (path === "/v1/predictions" ? (parsed.data?.version ?? "") : "")];
    if (model === undefined) return refusal(404, "The requested resource could not be found.");
    const input = model.safeParse(parsed.data?.input);
    if (!input.success) return refusal(422, "Input validation failed", input.error.issues.map(fault));
    if (!/^wait=[1-9]\d?$/.test(String(headers.prefer))) return refusal(400, "Prefer is not valid.");
    if (!/^\d+s$/.test(String(headers["cancel-after"]))) return refusal(400, "Cancel-After is not valid.");
    const fields = input.data as Record<string, string>;
    const image = await hostedImage({
      ...(fields.width === undefined ? {} : { width: Number(fields.width), height: Number(fields.height) }),
      ratio: fields.aspect_ratio,
      image: fields.image,
      mask: fields.mask,
      format: fields.output_format,
    });
    const id = `p${running.size + 1}`;
    running.set(id, {
      ...jobs.shift(),
      looks: 0,
      images: Array(Number(fields.num_outputs ?? 1)).fill(image),
    });
    return prediction(id, origin, 201);
  };
  const server = await startJobServer((request, origin) => {
    const { method, path, headers } = request;
    const [, result = "", index = "0"] = /^\/delivery\/(\w+)\/(\d)$/.exec(path) ?? [];
    if (result !== "")
      return headers.authorization === undefined
        ? { body: running.get(result)?.images[Number(index)] ?? "Gone" }
        : { status: 400, body: "The key has leaked." };
    if (headers.authorization !== `Bearer ${replicateKey}`)
      return refusal(401, "You did not pass a valid authentication token");
    const [, id, cancel] = /^\/v1\/predictions\/(\w+)(\/cancel)?$/.exec(path) ?? [];
    if (id === undefined) return submit(request, origin);
    return (cancel === undefined) === (method === "GET")
      ? prediction(id, origin)
      : refusal(405, "Method not allowed");
  });
  return { ...server, baseUrl: `${server.origin}/v1`, jobs };
}

const states = {
  done: { status: "succeeded" },
  failed: { status: "failed", error: "CUDA out of memory" },
  moderated: {
    status: "failed",
    error: "NSFW content detected. Try running it again, or try a different prompt.",
  },
  stopped: { status: "aborted" },
} as const;

function refusal(status: number, detail: string, invalid_fields?: object[]): FakeReply {
  return { status, body: { title: detail, detail, status, ...(invalid_fields && { invalid_fields }) } };
}

function fault({ path, message, ...issue }: z.core.$ZodIssue) {
  const unknown = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  return { type: "invalid", field: ["input", ...path, ...unknown].join("."), description: message };
}
