import { createdImageBytes, createImage, uploadedImageBytes } from "./sample-data.js";
import type { BenchRequest, Workload, WorkloadCase } from "./workload.js";

export const imageWorkloads: readonly Workload[] = [
  {
    name: "image-generation",
    title: "Image generation",
    description: "A prompt in, an image of 1.5 MB of base64 out.",
    cases: [generationCase()],
    concurrency: [1, 8, 32],
    warmUpRequests: 256,
    quick: { concurrency: [8], labels: ["1.5 MB"] },
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
];

function generationCase(): WorkloadCase {
  return {
    label: "1.5 MB",
    responseBytesMin: createdImageBytes,
    createRequests: async () => {
      const findFault = await createdImageCheck();
      return Array.from({ length: 256 }, (_, number) => ({
        path: "/v1/images/generations",
        contentType: "application/json",
        body: Buffer.from(JSON.stringify({ model: "image", prompt: `A fox on a hill, number ${number}` })),
        findFault,
      }));
    },
  };
}

/** A form with this many images of 10 MB. */
function editCase(images: number): WorkloadCase {
  return {
    label: `${images * 10} MB`,
    responseBytesMin: createdImageBytes,
    createRequests: async () => {
      const boundary = "------------------------bench";
      const body = writeForm(boundary, images, await createImage(uploadedImageBytes));
      const contentType = `multipart/form-data; boundary=${boundary}`;
      return [{ path: "/v1/images/edits", contentType, body, findFault: await createdImageCheck() }];
    },
  };
}

function writeForm(boundary: string, images: number, image: Buffer): Buffer {
  const field = (name: string, value: string) =>
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="image[]"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
  return Buffer.concat([
    field("model", "image"),
    // The upstream reads from the prompt how many images it must find.
    field("prompt", `${images} images`),
    ...Array(images)
      .fill([Buffer.from(head), image, Buffer.from("\r\n")])
      .flat(),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

async function createdImageCheck(): Promise<BenchRequest["findFault"]> {
  const expected = (await createImage(createdImageBytes)).toString("base64");
  return (response) => {
    const [image] = (response as { data?: { b64_json?: unknown }[] }).data ?? [];
    return image?.b64_json === expected ? undefined : "the image is not the one that the upstream returned";
  };
}
