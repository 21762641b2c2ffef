import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { FileInput } from "@model-gateway/domain/image-input";
import {
  type MediaInput,
  type MediaKind,
  type MediaLimits,
  mediaFormats,
  mediaMimeTypes,
  mediaUnits,
} from "@model-gateway/domain/media-input";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import type { ReadMedia } from "../../images/fetch/read-links.js";
import { measureMedia, mediaSignatureBytes, recogniseMedia } from "./measure-media.js";
import { pagesMax } from "./pdf-pages.js";

interface AskedMedia {
  readonly kind: MediaKind;
  /** The format that the request says. */
  readonly format?: string | undefined;
}

/** Reads a file by its bytes, and refuses one that a model does not take before a call costs money. */
export function mediaReader({ kind, format: said }: AskedMedia, limits: MediaLimits): ReadMedia {
  return {
    bytesMax: limits.maxBytes,
    read: async (file, param) => {
      const format = recogniseMedia(await file.inspect(async (read) => read(0, mediaSignatureBytes)));
      const known = mediaFormats[kind].find((one) => one === format);
      if (known === undefined) throw unknownFormat(kind, param);
      const refuse = (reason: string) => errorOf("invalid_media_file", { param, reason });
      if (said !== undefined && said !== known)
        throw refuse(`its format is said to be ${said}, but it is ${known}`);
      if (!limits.formats.includes(known))
        throw refuse(`it is ${known}; this model takes ${limits.formats.join(", ")}`);
      if (file.bytes > limits.maxBytes)
        throw refuse(`it has ${file.bytes} bytes; the maximum for this model is ${limits.maxBytes}`);
      const measure = await inSlices(measureMedia(await file.read(), known), new TimeSlice());
      if (measure === undefined)
        throw refuse(
          `its ${mediaUnits[kind]} cannot be counted: it is damaged, encrypted, or does not say them`,
        );
      const most = measure.hasSound ? (limits.maxAmountWithSound ?? limits.maxAmount) : limits.maxAmount;
      if (measure.amount > most) throw refuse(tooMuch({ kind, amount: measure.amount }, most));
      return mediaOf(file, { kind, format: known, amount: measure.amount });
    },
  };
}

function mediaOf(file: FileInput, facts: Pick<MediaInput, "kind" | "format" | "amount">): MediaInput {
  return { ...file, ...facts };
}

function tooMuch({ kind, amount }: Pick<MediaInput, "kind" | "amount">, most: number): string {
  const unit = mediaUnits[kind];
  const many = kind === "file" && amount > pagesMax ? `more than ${pagesMax}` : rounded(amount);
  return `it has ${many} ${unit}; the maximum for this model is ${most}`;
}

/** Up, so that a length just above the limit is not said to be the limit. */
function rounded(amount: number): string {
  return String(Math.ceil(amount * 10) / 10);
}

function unknownFormat(kind: MediaKind, param: string): GatewayError {
  const types = mediaFormats[kind].map((format) => `'${mediaMimeTypes[format]}'`).join(", ");
  return new GatewayError(
    "unsupported_file_mimetype",
    (name) => `Invalid '${name}': it is not a file of this kind. Supported file formats are ${types}.`,
    { param },
  );
}
