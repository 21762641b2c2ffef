import { drawnBytes, editedBytes, makeImage } from "../pictures.js";
import type { BenchRequest, Case } from "./workload.js";

/** A prompt, and an image back. */
export function generationCase(): Case {
  return {
    label: "1.5 MB",
    answerBytesMin: drawnBytes,
    requests: async () => {
      const fault = await drawnFault();
      return Array.from({ length: 256 }, (_, variant) => ({
        path: "/v1/images/generations",
        contentType: "application/json",
        body: Buffer.from(JSON.stringify({ model: "image", prompt: `A fox on a hill, number ${variant}` })),
        fault,
      }));
    },
  };
}

/** A form with so many images of 10 MB, and an image back. */
export function editCase(images: number): Case {
  return {
    label: `${images * 10} MB`,
    answerBytesMin: drawnBytes,
    requests: async () => {
      const boundary = "------------------------bench";
      const body = form(boundary, images, await makeImage(editedBytes));
      const contentType = `multipart/form-data; boundary=${boundary}`;
      return [{ path: "/v1/images/edits", contentType, body, fault: await drawnFault() }];
    },
  };
}

function form(boundary: string, images: number, image: Buffer): Buffer {
  const field = (name: string, value: string) =>
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="image[]"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
  return Buffer.concat([
    field("model", "image"),
    // The upstream counts them.
    field("prompt", `${images} images`),
    ...Array(images)
      .fill([Buffer.from(head), image, Buffer.from("\r\n")])
      .flat(),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

async function drawnFault(): Promise<BenchRequest["fault"]> {
  const drawn = (await makeImage(drawnBytes)).toString("base64");
  return (answer) => {
    const [image] = (answer as { data?: { b64_json?: unknown }[] }).data ?? [];
    return image?.b64_json === drawn ? undefined : "the image is not the one that was drawn";
  };
}
