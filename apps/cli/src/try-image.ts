import { existsSync, writeFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import { codeOf } from "@model-gateway/domain/failure-code";
import type { CommandPlace } from "./check.js";
import { UsageError } from "./command-line.js";
import type { CommandOf } from "./command-table.js";
import { CommandError } from "./remote/command-error.js";

const formats = { ".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp" } as const;

/** The file that an image goes to. */
export interface ImageOutput {
  readonly name: string;
  readonly format: (typeof formats)[keyof typeof formats];
  /** Writes the image, and returns its size in bytes. */
  write(base64: string | null | undefined): number;
}

/** Checks the file before an image is paid for. */
export function openImageOutput({ out, force }: CommandOf<"try">, place: CommandPlace): ImageOutput {
  if (out === undefined) throw new UsageError("try --image needs a file: --out fox.png.");
  const format = Object.entries(formats).find(([extension]) => extension === extname(out).toLowerCase())?.[1];
  if (format === undefined)
    throw new UsageError(`--out needs a name that ends with ${Object.keys(formats).join(", ")}.`);
  const path = resolve(place.workingDirectory, out);
  if (!force && existsSync(path)) throw new CommandError(alreadyThere(out));
  return {
    name: out,
    format,
    write: (base64) => {
      if (!base64) throw new CommandError("The response has no image.");
      const bytes = Buffer.from(base64, "base64");
      try {
        writeFileSync(path, bytes, { flag: force ? "w" : "wx" });
      } catch (cause) {
        const code = codeOf(cause);
        throw new CommandError(
          code === "EEXIST"
            ? alreadyThere(out)
            : `The image was created, but ${out} cannot be written (${code}). Check its path and its permissions.`,
        );
      }
      return bytes.length;
    },
  };
}

function alreadyThere(out: string): string {
  return `${out} exists already. Use --force to overwrite it, or another --out.`;
}
