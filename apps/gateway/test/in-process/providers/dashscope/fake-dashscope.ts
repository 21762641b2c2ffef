import { z } from "zod";
import { hostedImage } from "../hosted-image.js";
import { type JobRequest, type JobServer, startJobServer } from "../job-server.js";
import type { FakeReply } from "../strict-server.js";

export const dashScopeKey = "sk-dashscope-0123456789";

/** The outcome of the next task. */
export interface FakeTask {
  /** Number of times that it is `PENDING` before it ends. */
  readonly pending?: number;
  readonly end?: "SUCCEEDED" | "FAILED" | "CANCELED" | "UNKNOWN";
  /** The error of a task that failed. */
  readonly error?: { readonly code: string; readonly message: string };
  /** The results, if they are not links to the fake's images. */
  readonly results?: readonly object[];
}

export interface FakeDashScope extends JobServer {
  /** The next tasks. Others succeed at once. */
  readonly tasks: FakeTask[];
}

const dataUrl = z.string().regex(/^data:image\/(png|jpeg|webp);base64,/);
const size = z.string().regex(/^\d{3,4}\*\d{3,4}$/);
const seed = z.int().min(0).max(2_147_483_647);
const text = (max: number) => z.string().min(1).max(max);
const common = { size: size.optional(), seed: seed.optional(), watermark: z.boolean().optional() };
const rewritten = { prompt_extend: z.boolean().default(true), negative_prompt: text(500).optional() };

/** The parameters of each model, how many images it takes and how long a text. */
const messages: Readonly<Record<string, MessageModel>> = {
  "qwen-image-3.0": { images: [0, 3], length: 4500, parameters: { ...rewritten, n: count(6) } },
  "qwen-image-plus": {
    images: [0, 0],
    length: 800,
    parameters: {
      ...rewritten,
      n: count(1),
      size: z.enum(["1664*928", "1472*1104", "1328*1328", "1104*1472", "928*1664"]).optional(),
    },
  },
  "qwen-image-edit": {
    images: [1, 3],
    length: 800,
    parameters: { negative_prompt: text(500).optional(), size: z.never().optional() },
  },
  "wan2.7-image-pro": { images: [0, 9], length: 5000, parameters: { n: count(4) } },
  "wan2.6-image": {
    images: [1, 4],
    length: 2000,
    // The service creates four images unless it is told otherwise.
    parameters: { ...rewritten, n: z.int().min(1).max(4).default(4) },
  },
};

interface MessageModel {
  readonly images: readonly [number, number];
  readonly length: number;
  readonly parameters: z.ZodRawShape;
}

function count(max: number) {
  return z.int().min(1).max(max).default(1);
}

const task = z.strictObject({
  model: z.enum(["wan2.5-t2i-preview", "wan2.5-i2i-preview"]),
  input: z.strictObject({
    prompt: text(2000),
    negative_prompt: text(500).optional(),
    images: z.array(dataUrl).min(1).max(2).optional(),
  }),
  parameters: z.strictObject({ ...common, n: z.int().min(1).max(4).default(4), prompt_extend: z.boolean() }),
});

/** A server that speaks DashScope's native API, and refuses undocumented fields. */
export async function startFakeDashScope(): Promise<FakeDashScope> {
  const tasks: FakeTask[] = [];
  const running = new Map<string, FakeTask & { polls: number; readonly count: number }>();
  const images = new Map<string, Buffer>();
  const draw = async (name: string, chosen: string | undefined): Promise<void> => {
    const [width = 64, height = 64] = chosen?.split("*").map(Number) ?? [];
    images.set(name, await hostedImage({ width, height }));
  };
  const generate = async ({ body }: JobRequest, origin: string): Promise<FakeReply> => {
    const { model } = body as { model: string };
    const known = messages[model];
    if (known === undefined) return refusal(404, "ModelNotFound", "Model not exist.");
    const parsed = messageOf(known).safeParse(body);
    if (!parsed.success) return refusal(400, "InvalidParameter", faultOf(parsed.error));
    const { n = 1, size: chosen } = parsed.data.parameters as { n?: number; size?: string };
    const name = `m${images.size}`;
    await draw(name, chosen);
    const image = `${origin}/results/${name}`;
    const choices = Array.from({ length: n }, () => ({
      finish_reason: "stop",
      message: { role: "assistant", content: [{ image, type: "image" }] },
    }));
    return { body: { output: { choices }, usage: { image_count: n }, request_id: "r" } };
  };
  const submit = async ({ body, headers }: JobRequest): Promise<FakeReply> => {
    if (headers["x-dashscope-async"] !== "enable")
      return refusal(403, "AccessDenied", "current user api does not support synchronous calls.");
    const parsed = task.safeParse(body);
    if (!parsed.success) return refusal(400, "InvalidParameter", faultOf(parsed.error));
    const id = `task-${running.size + 1}`;
    const { n, size: chosen } = parsed.data.parameters;
    await draw(id, chosen);
    running.set(id, { ...tasks.shift(), polls: 0, count: n });
    return { body: { output: { task_status: "PENDING", task_id: id }, request_id: "r" } };
  };
  const state = (id: string, origin: string): FakeReply => {
    const found = running.get(id);
    const { pending = 0, end = "SUCCEEDED", error } = found ?? { end: "UNKNOWN" as const };
    if (found !== undefined) found.polls += 1;
    const status = found !== undefined && found.polls <= pending ? "PENDING" : end;
    const own = Array.from({ length: found?.count ?? 0 }, () => ({ url: `${origin}/results/${id}` }));
    const results = status === "SUCCEEDED" ? { results: found?.results ?? own } : {};
    return { body: { request_id: "r", output: { task_id: id, task_status: status, ...results, ...error } } };
  };
  const server = await startJobServer((request, origin) => {
    const { method, path, headers } = request;
    const [, result] = /^\/results\/(.+)$/.exec(path) ?? [];
    if (result !== undefined) return delivered(request, images.get(result));
    if (headers.authorization !== `Bearer ${dashScopeKey}`)
      return refusal(401, "InvalidApiKey", "Invalid API-key provided.");
    const [, id = "", action] = /^\/api\/v1\/tasks\/([^/]+)(\/cancel)?$/.exec(path) ?? [];
    if (action !== undefined && method === "POST") return { body: { request_id: "r" } };
    if (method === "GET") return state(id, origin);
    if (path.endsWith("/multimodal-generation/generation")) return generate(request, origin);
    return path.endsWith("2image/image-synthesis") ? submit(request) : refusal(404, "NotFound", "no path");
  });
  return { ...server, tasks };
}

function messageOf({ images: [min, max], length, parameters }: MessageModel) {
  const content = z
    .array(z.union([z.strictObject({ image: dataUrl }), z.strictObject({ text: text(length) })]))
    .min(min + 1)
    .max(max + 1)
    .refine((parts) => parts.filter((part) => "text" in part).length === 1);
  return z.strictObject({
    model: z.string(),
    input: z.strictObject({
      messages: z.array(z.strictObject({ role: z.literal("user"), content })).length(1),
    }),
    parameters: z.strictObject({ ...common, ...parameters }),
  });
}

/** Results are in buckets, which must not see the key. */
function delivered({ headers }: JobRequest, image: Buffer | undefined): FakeReply {
  if (headers.authorization !== undefined) return { status: 400, body: "The key has leaked." };
  return image === undefined
    ? { status: 404, body: "Gone" }
    : { headers: { "content-type": "image/png" }, body: image };
}

function refusal(status: number, code: string, message: string): FakeReply {
  return { status, body: { code, message, request_id: "r" } };
}

function faultOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join(".")}: ${issue?.message}`;
}
