import sharp, { type Sharp } from "sharp";
import { z } from "zod";
import { type JobRequest, type JobServer, startJobServer } from "../job-server.js";
import { paintMasked } from "../paint-masked.js";
import type { FakeReply } from "../strict-server.js";

export const bflKey = "bfl-key-0123456789";

/** The outcome of the next job. */
export interface FakeJob {
  /** Number of times that its state is `Pending` before it ends. */
  readonly pending?: number;
  readonly end?: "Ready" | "Error" | "Request Moderated" | "Content Moderated" | "Task not found";
  /** The link to the result, if it is not the fake's. */
  readonly sample?: string;
  /** The cost in credits. Null: it is not known yet. Default: 4. */
  readonly cost?: number | null;
}

export interface FakeBfl extends JobServer {
  readonly baseUrl: string;
  /** The next jobs. Others are ready at once. */
  readonly jobs: FakeJob[];
}

const side = (max: number) => z.int().min(256).max(max).multipleOf(32).optional();
const ratio = z.enum(["21:9", "16:9", "4:3", "3:2", "1:1", "2:3", "3:4", "9:16", "9:21"]).optional();
const base64 = z.base64().min(1);
const common = {
  prompt: z.string().min(1),
  seed: z.int().min(0).optional(),
  safety_tolerance: z.int().min(0).max(6).optional(),
  output_format: z.enum(["jpeg", "png"]).default("jpeg"),
  prompt_upsampling: z.boolean().optional(),
};
const inputs = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_input, at) => [
      at === 0 ? "input_image" : `input_image_${at + 1}`,
      base64.optional(),
    ]),
  );
/** It has neither a format nor a seed, and searches the web unless it is told not to. */
const flux3 = z.strictObject({
  prompt: common.prompt,
  images: z.array(base64).min(1).max(10).optional(),
  aspect_ratio: z
    .enum([
      "auto",
      "21:9",
      "2:1",
      "16:9",
      "3:2",
      "7:5",
      "4:3",
      "5:4",
      "1:1",
      "4:5",
      "3:4",
      "5:7",
      "2:3",
      "9:16",
      "1:2",
      "9:21",
    ])
    .default("auto"),
  resolution: z.enum(["768sq", "1k", "1.5k", "2k", "4k"]).default("1k"),
  grounding: z.boolean().default(true),
  safety_tolerance: z.int().min(0).max(4).optional(),
  version: z.literal("latest").optional(),
});
const flux1 = z.strictObject({ ...common, width: side(1440), height: side(1440) });
const schemas: Readonly<Record<string, z.ZodObject>> = {
  "flux-pro-1.1": flux1,
  "flux-dev": flux1,
  "flux-pro-1.1-ultra": z.strictObject({ ...common, aspect_ratio: ratio, raw: z.boolean().optional() }),
  "flux-2-pro": z.strictObject({
    ...common,
    safety_tolerance: z.int().min(0).max(5).optional(),
    width: side(2048),
    height: side(2048),
    ...inputs(8),
  }),
  "flux-kontext-pro": z.strictObject({ ...common, aspect_ratio: ratio, ...inputs(4) }),
  "flux-3-image": flux3,
  // Of a generation that no shipped catalogue knows.
  "flux-9-image": z.strictObject({ ...common, width: side(4096), height: side(4096) }),
  "flux-pro-1.0-fill": z.strictObject({ ...common, image: base64, mask: base64.optional() }),
};

/** A server that speaks Black Forest Labs' API, and refuses undocumented fields. */
export async function startFakeBfl(): Promise<FakeBfl> {
  const jobs: FakeJob[] = [];
  const running = new Map<string, FakeJob & { polls: number; image: Buffer }>();
  const submit = async ({ path, body }: JobRequest, origin: string): Promise<FakeReply> => {
    const schema = schemas[path.replace("/v1/", "")];
    if (schema === undefined) return { status: 404, body: { detail: "Not Found" } };
    const parsed = schema.safeParse(body);
    if (!parsed.success) return { status: 422, body: { detail: parsed.error.issues.map(fault) } };
    const fields = parsed.data as Record<string, string>;
    const { output_format: format = "jpeg" } = fields;
    const image = await (await painted(fields)).toFormat(format as "png").toBuffer();
    const id = `job-${running.size + 1}`;
    const job = { ...jobs.shift(), polls: 0, image };
    running.set(id, job);
    // Another path than the base URL's: links are used as they are.
    const polling_url = `${origin}/region/v1/get_result?id=${id}`;
    return {
      body: { id, polling_url, cost: job.cost === undefined ? 4 : job.cost, input_mp: 0, output_mp: 1 },
    };
  };
  const state = (id: string, origin: string): FakeReply => {
    const job = running.get(id);
    const { end = "Ready", pending = 0, sample = `${origin}/results/${id}` } = job ?? {};
    const isGone = job === undefined || end === "Task not found";
    if (isGone) return { status: 404, body: { id, status: "Task not found", result: null } };
    job.polls += 1;
    const status = job.polls > pending ? end : "Pending";
    return {
      body: { id, status, result: status === "Ready" ? { sample, prompt: "" } : null, progress: null },
    };
  };
  const server = await startJobServer((request, origin) => {
    const { method, path, headers } = request;
    const [, result] = /^\/results\/(.+)$/.exec(path) ?? [];
    if (result !== undefined) return delivered(request, running.get(result)?.image);
    if (headers["x-key"] !== bflKey)
      return { status: 403, body: { detail: "Not authenticated - Invalid key" } };
    const [, id] = /^\/region\/v1\/get_result\?id=(.+)$/.exec(path) ?? [];
    return method === "POST" ? submit(request, origin) : state(id ?? "", origin);
  });
  return { ...server, baseUrl: `${server.origin}/v1`, jobs };
}

/** Results belong to another host, which must not see the key. */
function delivered({ headers }: JobRequest, image: Buffer | undefined): FakeReply {
  if (headers["x-key"] !== undefined) return { status: 400, body: "The key has leaked." };
  return image === undefined
    ? { status: 404, body: "Gone" }
    : { headers: { "content-type": "image/png" }, body: image };
}

function fault({ path, message, ...issue }: z.core.$ZodIssue) {
  const unknown = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  return { loc: ["body", ...path, ...unknown], msg: message, type: "value_error" };
}

async function painted(fields: Readonly<Record<string, string | number>>): Promise<Sharp> {
  const { image, mask, width = 1024, height = 768, aspect_ratio } = fields;
  if (typeof image === "string") {
    const original = Buffer.from(image, "base64");
    const area =
      typeof mask === "string"
        ? Buffer.from(mask, "base64")
        : await sharp(original).extractChannel("alpha").negate().png().toBuffer();
    return paintMasked(original, area);
  }
  const [x = Number(width), y = Number(height)] = (
    aspect_ratio === undefined || aspect_ratio === "auto" ? "" : String(aspect_ratio)
  )
    .split(":")
    .filter(Boolean)
    .map((part) => 8 * Number(part));
  return sharp({ create: { width: x, height: y, channels: 3, background: "teal" } });
}
