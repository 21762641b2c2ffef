import { readFile } from "node:fs/promises";

/** The object in a JSON file, or nothing when there is no such file. */
export async function readJsonObject(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error(`${path} holds no JSON object.`);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
