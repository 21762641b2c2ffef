import { Readable } from "node:stream";
import type { ImageInput } from "@model-gateway/domain/image-input";
import type { EditImages } from "@model-gateway/domain/requests";
import type { FileStore } from "../files/file-store.js";
import type { StoredInput } from "./job.js";

/** Copies the input images of a job, one after the other. If one fails, none is left. */
export async function storeInputs(
  jobId: string,
  { images, mask, markup }: EditImages,
  files: FileStore,
): Promise<readonly StoredInput[]> {
  const inputs = [
    ...images.map((image) => ({ role: "image" as const, image })),
    ...(mask === undefined ? [] : [{ role: "mask" as const, image: mask }]),
    ...(markup === undefined ? [] : [{ role: "markup" as const, image: markup }]),
  ];
  const stored: StoredInput[] = [];
  try {
    await files.checkWritable(inputs.reduce((sum, { image }) => sum + image.bytes, 0));
    for (const [index, { role, image }] of inputs.entries()) {
      const id = `${jobId.replace("_", "-")}-${index}`;
      await copy(image, id, files);
      stored.push({ id, role, format: image.format, bytes: image.bytes });
    }
    return stored;
  } catch (failure) {
    await deleteInputs(stored, files);
    throw failure;
  }
}

async function copy(image: ImageInput, id: string, files: FileStore): Promise<void> {
  const writer = await files.create(id);
  try {
    for await (const chunk of image.stream()) await writer.write(chunk);
    await writer.commit();
  } catch (failure) {
    await writer.abort();
    throw failure;
  }
}

export async function deleteInputs(
  inputs: readonly Pick<StoredInput, "id">[],
  files: FileStore,
): Promise<void> {
  await Promise.all(inputs.map(({ id }) => files.delete(id)));
}

/** The images of a job as the handler of an edit takes them. Undefined if it has none. */
export function openInputs(inputs: readonly StoredInput[], files: FileStore): EditImages | undefined {
  if (inputs.length === 0) return undefined;
  const opened = inputs.map((input) => ({ role: input.role, image: openInput(input, files) }));
  const find = (role: StoredInput["role"]) => opened.find((input) => input.role === role)?.image;
  const [mask, markup] = [find("mask"), find("markup")];
  return {
    images: opened.flatMap(({ role, image }) => (role === "image" ? [image] : [])),
    ...(mask && { mask }),
    ...(markup && { markup }),
  };
}

function openInput({ id, format, bytes }: StoredInput, files: FileStore): ImageInput {
  const readPart = async (start: number, length: number): Promise<Buffer> => {
    const end = Math.min(bytes, start + length);
    return start >= end ? Buffer.alloc(0) : collect(await files.read(id, { start, end }));
  };
  return {
    format,
    bytes,
    read: async () => collect(await files.read(id)),
    stream: () => Readable.from(chunksOf(id, files)),
    inspect: (use) => use(readPart),
  };
}

async function* chunksOf(id: string, files: FileStore): AsyncGenerator<Buffer> {
  yield* await files.read(id);
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
