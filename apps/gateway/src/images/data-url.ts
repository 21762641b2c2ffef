import { type Picture, pictureInMemory } from "../domain/picture.js";
import { GatewayError } from "../errors.js";
import { recogniseFormat } from "./recognise.js";

/** Reads the picture in a data URL. The type it claims is not believed; its bytes are. */
export function readDataUrl(url: string, param: string): Picture {
  const content = /^data:[^,]{0,200};base64,/i.exec(url);
  if (content === null) {
    throw new GatewayError(
      "unsupported_value",
      `Invalid '${param}': only data URLs are supported: 'data:image/png;base64,' and the bytes of the picture.`,
      { param },
    );
  }
  const bytes = Buffer.from(url.slice(content[0].length), "base64");
  const format = recogniseFormat(bytes);
  if (format === undefined) {
    throw new GatewayError(
      "unsupported_file_mimetype",
      `Invalid '${param}': it is not a picture that can be read. Supported file formats are 'image/jpeg', 'image/png', and 'image/webp'.`,
      { param },
    );
  }
  return pictureInMemory(bytes, format);
}
