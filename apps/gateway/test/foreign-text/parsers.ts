import { formParsers } from "./forms.js";
import { imageParsers } from "./images.js";
import { mediaParsers } from "./media.js";
import { packageParsers } from "./packages.js";
import type { Parser } from "./parser.js";
import { replyParsers } from "./replies.js";
import { requestParsers } from "./requests.js";
import { textParsers } from "./texts.js";

/** Every parser of foreign text. */
export const parsers: readonly Parser[] = [
  ...requestParsers,
  ...formParsers,
  ...replyParsers,
  ...textParsers,
  ...imageParsers,
  ...mediaParsers,
  ...packageParsers,
];
