import { isObject } from "@model-gateway/runtime/json";
import { parseObject } from "./read-error.js";

/** The request that an upstream replied to with an error. */
export interface SentRequest {
  /** Undefined if it is a stream, or if there is none. */
  readonly body: string | Buffer | undefined;
  /** The model's name at the upstream, which a message may contain. */
  readonly model: string;
}

const messageLengthMax = 160;
/** A larger request has so many words that most messages would share two with it, and reading it takes milliseconds. */
const bodyLengthMax = 64 * 1024;
/** No word of a sentence is longer, but many encoded texts and keys are. */
const wordLengthMax = 40;
/** Escapes could hide the words of a prompt. */
const escapes = /\\|%[0-9a-f]{2}|&#|&\w+;/i;
/** Scripts without spaces between words count by the character. */
const word =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{M}\p{N}]+/gu;

/**
 * The start of an upstream's message, for operators. Undefined where it may quote the request: it shares two successive
 * words with one of the request's texts, contains a text of one word, or has parts that cannot be compared.
 */
export function quotableMessage(
  message: string | undefined,
  { body, model }: SentRequest,
): string | undefined {
  if (message === undefined || body === undefined || body.length > bodyLengthMax) return undefined;
  const sent = parseObject(body.toString("utf8"));
  if (sent === undefined || escapes.test(message)) return undefined;
  const words = wordsOf(message);
  if (words.some(({ length }) => length > wordLengthMax)) return undefined;
  const single = new Set(words);
  const pairs = new Set(words.map((one, index) => `${one} ${words[index + 1] ?? ""}`));
  for (const text of textsOf(sent)) {
    if (text !== model && isQuoted(wordsOf(text), single, pairs)) return undefined;
  }
  return clip(message);
}

function isQuoted(text: readonly string[], single: ReadonlySet<string>, pairs: ReadonlySet<string>): boolean {
  const [first = ""] = text;
  if (text.length === 1) return single.has(first);
  return text.some((one, index) => index > 0 && pairs.has(`${text[index - 1]} ${one}`));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().normalize("NFKC").match(word) ?? [];
}

/** The texts of a request: strings, lists of token ids, and names of fields with spaces. */
function textsOf(sent: object): string[] {
  const texts: string[] = [];
  // A list, because a value may be nested deeper than the stack.
  const left: unknown[] = [sent];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value === "string") texts.push(value);
    else if (Array.isArray(value)) {
      texts.push(value.filter((item) => typeof item === "number").join(" "));
      left.push(...value);
    } else if (isObject(value)) {
      texts.push(...Object.keys(value).filter((name) => /\s/.test(name)));
      left.push(...Object.values(value));
    }
  }
  return texts;
}

/** Ends after a whole word, because half of a secret would not be recognised by the filter. */
function clip(message: string): string {
  const text = message.trim();
  if (text.length <= messageLengthMax) return text;
  return `${text.slice(0, messageLengthMax).replace(/\S*$/, "").trimEnd()}…`;
}
