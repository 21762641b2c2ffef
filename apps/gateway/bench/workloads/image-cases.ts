import { drawnBytes, editedBytes, makePicture } from "../pictures.js";
import type { BenchRequest, Case } from "./workload.js";

/** A prompt, and a picture back. */
export function generationCase(): Case {
  return {
    label: "1.5 MB",
    answerBytesMin: drawnBytes,
    requests: async () => {
      const fault = await drawnFault();
      return Array.from({ length: 256 }, (_, variant) => ({
        path: "/v1/images/generations",
        contentType: "application/json",
        body: Buffer.from(JSON.stringify({ model: "picture", prompt: `A fox on a hill, number ${variant}` })),
        fault,
      }));
    },
  };
}

/** A form with so many pictures of 10 MB, and a picture back. */
export function editCase(pictures: number): Case {
  return {
    label: `${pictures * 10} MB`,
    answerBytesMin: drawnBytes,
    requests: async () => {
      const boundary = "------------------------bench";
      const body = form(boundary, pictures, await makePicture(editedBytes));
      const contentType = `multipart/form-data; boundary=${boundary}`;
      return [{ path: "/v1/images/edits", contentType, body, fault: await drawnFault() }];
    },
  };
}

function form(boundary: string, pictures: number, picture: Buffer): Buffer {
  const field = (name: string, value: string) =>
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="image[]"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
  return Buffer.concat([
    field("model", "picture"),
    // The upstream counts them.
    field("prompt", `${pictures} pictures`),
    ...Array(pictures)
      .fill([Buffer.from(head), picture, Buffer.from("\r\n")])
      .flat(),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

async function drawnFault(): Promise<BenchRequest["fault"]> {
  const drawn = (await makePicture(drawnBytes)).toString("base64");
  return (answer) => {
    const [image] = (answer as { data?: { b64_json?: unknown }[] }).data ?? [];
    return image?.b64_json === drawn ? undefined : "the picture is not the one that was drawn";
  };
}
