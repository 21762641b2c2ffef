import { open } from "node:fs/promises";
import { codeOf } from "@model-gateway/domain/failure-code";

/** An identity token is a JWT of a few kilobytes. */
const fileBytesMax = 64 * 1024;

/**
 * The text of a small file that a platform replaces while the gateway runs. Its errors name the file and quote nothing
 * of it.
 */
export async function readSmallFile(path: string): Promise<string> {
  const file = await open(path).catch((failure: unknown) => {
    throw new Error(`The file ${path} cannot be read (${codeOf(failure)}).`);
  });
  try {
    const buffer = Buffer.alloc(fileBytesMax + 1);
    const { bytesRead } = await file.read(buffer);
    if (bytesRead > fileBytesMax) throw new Error(`The file ${path} is too large.`);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The token in a file. */
export async function readTokenFile(path: string): Promise<string> {
  const token = (await readSmallFile(path)).trim();
  if (token === "") throw new Error(`The file ${path} is empty.`);
  return token;
}
