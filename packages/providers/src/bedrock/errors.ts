import type { ErrorCode } from "@model-gateway/domain/errors";
import { parseObject, textOf } from "../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";

/** The codes of classes whose status does not say enough. The others have the code of their status. */
const codesByClass: Readonly<Record<string, ErrorCode>> = {
  AccessDeniedException: "upstream_auth_error",
  ExpiredTokenException: "upstream_auth_error",
  IncompleteSignatureException: "upstream_auth_error",
  InvalidSignatureException: "upstream_auth_error",
  MissingAuthenticationTokenException: "upstream_auth_error",
  UnrecognizedClientException: "upstream_auth_error",
  ServiceQuotaExceededException: "insufficient_quota",
  ThrottlingException: "rate_limit_exceeded",
  ModelNotReadyException: "rate_limit_exceeded",
  ModelTimeoutException: "upstream_timeout",
  ServiceUnavailableException: "upstream_unavailable",
};

/**
 * `{"message"}`, with the class of the error in a header: `ValidationException:http://…`. No reply says how long to wait.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html
 */
export function readBedrockError({ status, headers, body }: ErrorReply): ReportedError {
  const parsed = parseObject(body) ?? {};
  const message = textOf(parsed.message ?? parsed.Message);
  const word = classOf(headers["x-amzn-errortype"] ?? parsed.__type);
  const code = word !== undefined && Object.hasOwn(codesByClass, word) ? codesByClass[word] : undefined;
  const validation = code === undefined && status === 400 ? readValidation(message ?? "") : {};
  return { code, ...validation, message, word };
}

/** `com.amazon.coral.service#ThrottlingException:http://…` is a ThrottlingException. */
function classOf(type: unknown): string | undefined {
  return typeof type === "string" ? /(?:^|#)(\w{1,64})(?::|$)/.exec(type)?.[1] : undefined;
}

/** All mistakes in a request have one class. Only the message says which it is. */
function readValidation(message: string): Pick<ReportedError, "code" | "param"> {
  if (/model identifier is invalid|on-demand throughput isn.t supported/i.test(message))
    return { code: "upstream_model_missing" };
  if (isModeration(message)) return { code: "moderation_blocked" };
  const path = /#\/(\w+)(?:\/(\d+))?/.exec(message);
  const index = path?.[2] ?? /text at index (\d+)/i.exec(message)?.[1];
  if (index !== undefined && /maxLength|too long|too many tokens/i.test(message))
    return { code: "context_length_exceeded", param: `input[${index}]` };
  return { param: Object.hasOwn(params, path?.[1] ?? "") ? params[path?.[1] ?? ""] : undefined };
}

/** The names of fields in the caller's words. */
const params: Readonly<Record<string, string>> = {
  inputText: "input",
  inputImage: "input",
  texts: "input",
  images: "input",
  inputs: "input",
  singleEmbeddingParams: "input",
  output_dimension: "dimensions",
  dimensions: "dimensions",
  input_type: "input_type",
  prompt: "prompt",
  negative_prompt: "negative_prompt",
  aspect_ratio: "size",
  output_format: "output_format",
  seed: "seed",
  image: "image",
  mask: "mask",
};

/** The image models' wording when their filter has blocked a prompt or an image. */
function isModeration(message: string): boolean {
  return /content filter|content policy|responsible ai|request moderated/i.test(message);
}
