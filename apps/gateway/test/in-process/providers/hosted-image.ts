import sharp from "sharp";
import type { JobServer } from "./job-server.js";
import { paintMasked } from "./paint-masked.js";

/** The outcome of the next job. */
export interface HostedJob {
  /** Number of polls before it ends. */
  readonly pending?: number;
  readonly end?: "done" | "failed" | "moderated" | "stopped";
  /** The link to the result, if it is not the fake's. */
  readonly link?: string;
}

/** A fake host of models. */
export interface FakeHost extends JobServer {
  readonly baseUrl: string;
  /** The next jobs. Others are done at once. */
  readonly jobs: HostedJob[];
}

export interface ImageFields {
  readonly width?: number;
  readonly height?: number;
  readonly ratio?: string | undefined;
  readonly image?: string | undefined;
  readonly mask?: string | undefined;
  readonly format?: string | undefined;
}

/** Creates an image as a hosted model does: white pixels of a mask are painted. Images are data URLs. */
export async function hostedImage({
  width = 64,
  height = 64,
  ratio,
  image,
  mask,
  format,
}: ImageFields): Promise<Buffer> {
  const [x = width, y = height] = ratio?.split(":").map((part) => 8 * Number(part)) ?? [];
  const created =
    image !== undefined && mask !== undefined
      ? await paintMasked(bytesOf(image), bytesOf(mask))
      : sharp({ create: { width: x, height: y, channels: 3, background: "teal" } });
  return created.toFormat(format === "jpg" ? "jpeg" : ((format ?? "png") as "png")).toBuffer();
}

function bytesOf(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.replace(/^data:image\/\w+;base64,/, ""), "base64");
}
