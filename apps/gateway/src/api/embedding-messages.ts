import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { Schemas } from "@model-gateway/domain/operations";
import type { UnnamedParameters } from "../execution/validation/extras.js";
import { describeFault } from "../execution/validation/fault-message.js";
import type { NameParameter } from "./caller-names.js";

type Message = Schemas["EmbeddingMessage"];
type Part = Schemas["EmbeddingContentInput"]["content"][number];

/** The fields that say what to embed. */
export type InputFields = Pick<
  Schemas["CreateEmbeddingRequest"],
  "input" | "messages" | "continue_final_message" | "add_special_tokens"
>;

interface GivenInputs {
  readonly input: Schemas["EmbeddingInput"];
  /** The caller's names for the parameters of `input`. Absent: the same. */
  readonly nameOf?: NameParameter;
}

/** The inputs of a request, which may have a conversation in their place. */
export function readGivenInputs(body: InputFields, extras: UnnamedParameters | undefined): GivenInputs {
  const { input, messages } = body;
  if (messages == null) {
    refuseTemplateOptions(body);
    if (input !== undefined) return { input };
    const givenNames = Object.keys(extras?.values ?? {});
    throw describeFault({ keyword: "required", param: "input", schema: {}, value: undefined, givenNames });
  }
  if (input === undefined) return joinMessages(messages);
  throw errorOf(
    "invalid_value",
    { param: "messages", reason: "the inputs are in 'input' already" },
    { hint: "Send one of 'input' and 'messages'." },
  );
}

const templateOptions = ["continue_final_message", "add_special_tokens"] as const;

/** Without a conversation there is no template that they could be about. */
function refuseTemplateOptions(body: InputFields): void {
  const sent = templateOptions.find((name) => body[name] != null);
  if (sent !== undefined)
    throw errorOf("invalid_value", { param: sent, reason: "it is accepted together with 'messages' alone" });
}

/** The most parts of one input. */
const partsMax = 16;

/** A part, and the caller's name for it. */
interface NamedPart {
  readonly part: Part;
  readonly name: string;
}

/** A conversation is one input, the same as the content object with its parts: both have one key in the cache. */
function joinMessages(messages: readonly Message[]): GivenInputs {
  const parts: NamedPart[] = [];
  for (const { part, name } of messages.flatMap(partsOf)) {
    const last = parts.at(-1);
    if (part.type === "text" && last?.part.type === "text") {
      const text = `${last.part.text}\n${part.text}`;
      parts[parts.length - 1] = { part: { type: "text", text }, name: last.name };
    } else parts.push({ part, name });
  }
  const [first, ...others] = parts;
  if (first === undefined) throw errorOf("empty_string", { param: "messages" });
  if (parts.length > partsMax)
    throw new GatewayError(
      "array_above_max_length",
      (param) =>
        `Invalid '${param}': it has ${parts.length} parts after its texts were joined, and one input may have ${partsMax}.`,
      { param: "messages" },
    );
  const nameOf: NameParameter = (param) => nameIn(parts, param);
  const content: Schemas["EmbeddingContentInput"]["content"] = [
    first.part,
    ...others.map(({ part }) => part),
  ];
  return first.part.type === "text" && others.length === 0
    ? { input: first.part.text, nameOf }
    : { input: [{ content }], nameOf };
}

/** Empty texts are those of clients that fill in a form, such as that of an answer that is yet to come. */
function partsOf({ content }: Message, index: number): NamedPart[] {
  const name = `messages[${index}].content`;
  const parts: NamedPart[] =
    typeof content === "string"
      ? [{ part: { type: "text", text: content }, name }]
      : content.map((part, at) => ({ part, name: `${name}[${at}]` }));
  return parts.filter(({ part }) => part.type !== "text" || part.text !== "");
}

function nameIn(parts: readonly NamedPart[], param: string): string {
  const [, index, rest = ""] = /^input\[0\]\.content\[(\d+)\](.*)$/.exec(param) ?? [];
  const named = index === undefined ? undefined : parts[Number(index)];
  if (named !== undefined) return `${named.name}${rest}`;
  return /^input\b/.test(param) ? "messages" : param;
}
