import { CommandError } from "./command-error.js";

interface ReadText {
  readonly bytesMax: number;
  /** Who responds, for the message. */
  readonly from: string;
}

/** The body of a response as text. A program that sends without an end cannot fill the memory. */
export async function readText(response: Response, { bytesMax, from }: ReadText): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax)
      throw new CommandError(`The response of ${from} is larger than ${bytesMax} bytes. Check the address.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
