import { embeddingWorkloads, smallEmbedding } from "./embeddings.js";
import {
  createdImageBytes,
  createImage,
  createMask,
  createRgbaImage,
  uploadedImageBytes,
} from "./sample-data.js";
import type { BenchRequest, Workload, WorkloadCase } from "./workload.js";

/** The CI check measures this workload's first case as well. */
export const imageGeneration: Workload = {
  name: "image-generation",
  title: "Image generation",
  description:
    "A prompt in, an image of 1.5 MB of base64 out: without an alpha channel, and with one that is opaque. A silent upstream does not say so, and the gateway looks at it.",
  cases: [generationCase("RGB"), generationCase("RGBA"), generationCase("RGBA, silent")],
  concurrency: [1, 8, 32],
  warmUpRequests: 256,
  quick: { concurrency: [8], labels: ["RGB", "RGBA", "RGBA, silent"] },
};

/** Every workload, in the order in which it is measured and shown. */
export const workloads: readonly Workload[] = [
  ...embeddingWorkloads,
  imageGeneration,
  {
    name: "image-stream",
    title: "Streamed generation",
    description: "A prompt in, three partial images and the last one out, each 1.5 MB of base64.",
    cases: [streamCase()],
    concurrency: [1, 8],
    warmUpRequests: 64,
    quick: { concurrency: [8], labels: ["3 partials"] },
  },
  {
    name: "image-link",
    title: "Generation behind a link",
    description: "The gateway stores the image and returns a link to it. Its rivals return 1.5 MB of base64.",
    cases: [linkCase()],
    concurrency: [1, 8],
    warmUpRequests: 256,
    quick: { concurrency: [8], labels: ["url"] },
  },
  {
    name: "edit-10-mb",
    title: "Edit",
    description: "A form with one image of 10 MB in, an image of 1.5 MB of base64 out.",
    cases: [editCase(1)],
    concurrency: [1, 8],
    warmUpRequests: 16,
    quick: { concurrency: [8], labels: ["10 MB"] },
    uploads: true,
  },
  {
    name: "edits-8x50-mb",
    title: "Large edits",
    description: "Eight forms of 50 MB at the same time: the cost in memory.",
    cases: [editCase(5)],
    concurrency: [8],
    warmUpRequests: 8,
    quick: { concurrency: [8], labels: ["50 MB"] },
    uploads: true,
  },
  {
    name: "edit-with-mask",
    title: "Edit with a mask",
    description: "A form with two images of 10 MB and a mask in, an image of 1.5 MB of base64 out.",
    cases: [editCase(2, { hasMask: true })],
    concurrency: [4],
    warmUpRequests: 16,
    quick: { concurrency: [4], labels: ["20 MB and a mask"] },
    uploads: true,
  },
  {
    name: "beside-large-edits",
    title: "One input beside large edits",
    description:
      "One input, as above, while eight forms of 50 MB and eight generated images are served: what a small request waits for.",
    cases: smallEmbedding.cases,
    concurrency: [4],
    warmUpRequests: 1000,
    quick: { concurrency: [4], labels: ["JSON"] },
    watchesStalls: true,
    neighbours: [
      { workload: "edits-8x50-mb", label: "50 MB", concurrency: 8 },
      { workload: "image-generation", label: "RGBA", concurrency: 8 },
    ],
  },
];

/** The upstream reads from the prompt which image it returns. */
function generationCase(label: "RGB" | "RGBA" | "RGBA, silent"): WorkloadCase {
  return {
    label,
    responseBytesMin: createdImageBytes,
    createRequests: async () => {
      const image = await (label === "RGB" ? createImage : createRgbaImage)(createdImageBytes);
      return generationRequests({ prompt: label }, { findFault: isImage(image) });
    },
  };
}

function streamCase(): WorkloadCase {
  return {
    label: "3 partials",
    responseBytesMin: 4 * createdImageBytes,
    createRequests: async () => {
      const findWrong = isImage(await createImage(createdImageBytes));
      return generationRequests(
        { prompt: "RGB", stream: true, partial_images: 3 },
        {
          isStream: true,
          findFault: (events) => {
            const data = events as readonly unknown[];
            if (data.length !== 4) return `${data.length} events instead of 4`;
            return data.map((event) => findWrong({ data: [event] })).find((fault) => fault !== undefined);
          },
        },
      );
    },
  };
}

function linkCase(): WorkloadCase {
  return {
    label: "url",
    responseBytesMin: 100,
    createRequests: async () => {
      const findWrong = isImage(await createImage(createdImageBytes));
      return generationRequests(
        { prompt: "RGB", response_format: "url" },
        {
          findFault: (response) => {
            const [image] = (response as { data?: { url?: unknown }[] }).data ?? [];
            return typeof image?.url === "string" ? undefined : findWrong(response);
          },
        },
      );
    },
  };
}

function generationRequests(
  { prompt, ...fields }: { readonly prompt: string; readonly [field: string]: unknown },
  check: Pick<BenchRequest, "findFault" | "isStream">,
): BenchRequest[] {
  return Array.from({ length: 256 }, (_, number) => ({
    path: "/v1/images/generations",
    contentType: "application/json",
    body: Buffer.from(
      JSON.stringify({ model: "image", prompt: `A fox on a hill, number ${number}: ${prompt}`, ...fields }),
    ),
    ...check,
  }));
}

/** A form with this many images of 10 MB. The upstream reads from the prompt how many it must find. */
function editCase(images: number, { hasMask = false } = {}): WorkloadCase {
  return {
    label: `${images * 10} MB${hasMask ? " and a mask" : ""}`,
    responseBytesMin: createdImageBytes,
    createRequests: async () => {
      const image = await createImage(uploadedImageBytes);
      const files = Array.from({ length: images }, () => ({ name: "image[]", content: image }));
      if (hasMask) files.push({ name: "mask", content: await createMask(uploadedImageBytes) });
      const findFault = isImage(await createImage(createdImageBytes));
      return [{ ...editRequest(`${images} images`, files), findFault }];
    },
  };
}

/** An edit as a form. */
export function editRequest(
  prompt: string,
  files: readonly { readonly name: string; readonly content: Buffer }[],
): Omit<BenchRequest, "findFault"> {
  const boundary = "------------------------bench";
  const head = (name: string, more = "") =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const fileHead = '; filename="a.png"\r\ncontent-type: image/png';
  const body = Buffer.concat([
    Buffer.from(`${head("model")}image\r\n${head("prompt")}${prompt}\r\n`),
    ...files.flatMap(({ name, content }) => [
      Buffer.from(head(name, fileHead)),
      content,
      Buffer.from("\r\n"),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { path: "/v1/images/edits", contentType: `multipart/form-data; boundary=${boundary}`, body };
}

function isImage(content: Buffer): BenchRequest["findFault"] {
  const expected = content.toString("base64");
  return (response) => {
    const [image] = (response as { data?: { b64_json?: unknown }[] }).data ?? [];
    return image?.b64_json === expected ? undefined : "the image is not the one that the upstream returned";
  };
}
