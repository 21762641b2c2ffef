import { z } from "zod";
import { type FakeHost, type HostedJob, hostedImage } from "../hosted-image.js";
import { type JobRequest, startJobServer } from "../job-server.js";
import type { FakeReply } from "../strict-server.js";

export const falKey = "fal-id:fal-secret-0123456789";

const dataUrl = z.string().regex(/^data:image\/(png|jpeg|webp);base64,/);
const common = {
  prompt: z.string().min(1),
  seed: z.int().min(0).optional(),
  num_images: z.int().min(1).max(4).default(1),
  output_format: z.enum(["jpeg", "png"]).default("jpeg"),
};
const ratio = z.enum(["21:9", "16:9", "4:3", "3:2", "1:1", "2:3", "3:4", "9:16", "9:21"]).optional();
const side = z.int().min(64).max(2048);
const inputs: Readonly<Record<string, z.ZodObject>> = {
  "/fal-ai/flux/schnell": z.strictObject({
    ...common,
    image_size: z.strictObject({ width: side, height: side }).optional(),
  }),
  "/fal-ai/flux-pro/kontext": z.strictObject({ ...common, aspect_ratio: ratio, image_url: dataUrl }),
  "/fal-ai/flux-pro/v1/fill": z.strictObject({ ...common, image_url: dataUrl, mask_url: dataUrl }),
  "/my-team/my-app": z.strictObject({ prompt: z.string(), image_urls: z.array(dataUrl).optional() }),
};

interface Running extends HostedJob {
  looks: number;
  readonly images: Buffer[];
}

/** A server that speaks fal's queue, and refuses fields that a model's schema does not name. */
export async function startFakeFal(): Promise<FakeHost> {
  const jobs: HostedJob[] = [];
  const running = new Map<string, Running>();
  const submit = async ({ path, body }: JobRequest, origin: string): Promise<FakeReply> => {
    const parsed = inputs[path]?.safeParse(body);
    if (parsed === undefined) return { status: 404, body: { detail: "Application not found" } };
    if (!parsed.success) return { status: 422, body: { detail: parsed.error.issues.map(fault) } };
    const fields = parsed.data as Record<string, string> & { image_size?: { width: number; height: number } };
    const image = await hostedImage({
      ...fields.image_size,
      ratio: fields.aspect_ratio,
      image: fields.image_url,
      mask: fields.mask_url,
      format: fields.output_format,
    });
    const id = `r${running.size + 1}`;
    running.set(id, { ...jobs.shift(), looks: 0, images: Array(Number(fields.num_images ?? 1)).fill(image) });
    // The links lack the last part of the model's path.
    const url = `${origin}/${path.split("/").slice(1, 3).join("/")}/requests/${id}`;
    return {
      body: {
        request_id: id,
        status_url: `${url}/status`,
        response_url: url,
        cancel_url: `${url}/cancel`,
        queue_position: 0,
      },
    };
  };
  const server = await startJobServer((request, origin) => {
    const { method, path, headers } = request;
    const [, result, index = "0"] = /^\/delivery\/(\w+)\/(\d)$/.exec(path) ?? [];
    if (result !== undefined)
      return headers.authorization === undefined
        ? { body: running.get(result)?.images[Number(index)] ?? "Gone" }
        : { status: 400, body: "The key has leaked." };
    if (headers.authorization !== `Key ${falKey}`)
      return { status: 401, body: { detail: "Cannot access application. Authentication is required." } };
    const [, id = "", action = ""] = /\/requests\/(\w+)\/?(\w*)$/.exec(path) ?? [];
    const job = running.get(id);
    if (job === undefined) return submit(request, origin);
    if (action === "cancel" && method === "PUT")
      return { status: 202, body: { status: "CANCELLATION_REQUESTED" } };
    if (method !== "GET") return { status: 405, body: { detail: "Method Not Allowed" } };
    return action === "status" ? stateOf(job) : responseOf(job, `${origin}/delivery/${id}`);
  });
  return { ...server, baseUrl: server.origin, jobs };
}

function stateOf(job: Running): FakeReply {
  job.looks += 1;
  const isRunning = job.looks <= (job.pending ?? 0);
  if (isRunning) return { status: 202, body: { status: job.looks === 1 ? "IN_QUEUE" : "IN_PROGRESS" } };
  return { body: { status: job.end === "stopped" ? "CANCELLED" : "COMPLETED" } };
}

function responseOf({ end = "done", images, link }: Running, delivery: string): FakeReply {
  if (end === "failed") return { body: { error: "Internal error", error_type: "internal_server_error" } };
  if (end === "moderated")
    return {
      status: 422,
      body: {
        detail: [
          { loc: ["body", "prompt"], msg: "The content was flagged.", type: "content_policy_violation" },
        ],
      },
    };
  const list = images.map((_image, index) => ({
    url: link ?? `${delivery}/${index}`,
    content_type: "image/png",
  }));
  return { body: { images: list, seed: 1, has_nsfw_concepts: images.map(() => false), prompt: "" } };
}

function fault({ path, message, ...issue }: z.core.$ZodIssue) {
  const unknown = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  return { loc: ["body", ...path, ...unknown], msg: message, type: "value_error" };
}
