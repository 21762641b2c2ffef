import type { ErrorCode } from "./errors.js";

/*
 * One row for each code, and nothing else: a table is read from top to bottom, so it stays in one file.
 */

/** What a caller is told about a code, beyond the message of the moment. */
export interface ErrorHelp {
  /** What has happened. */
  readonly meaning: string;
  /** What to do about it. */
  readonly remedy: string;
  /**
   * Whether the caller may send the same request again: no, later, or with care, because an image may have been made and
   * paid for. `retry` of the error table is about the gateway's own attempts.
   */
  readonly callerRetry: "no" | "later" | "careful";
}

/** One row a code, so it is as long as the error table: the pages of the docs are drawn from it. Backticks mark code. */
export const errorHelp: Readonly<Record<ErrorCode, ErrorHelp>> = {
  invalid_json: {
    meaning: "The body is not valid JSON in UTF-8. The message has the line and the column.",
    remedy: "Write the body with a JSON library instead of by hand, and send it in UTF-8.",
    callerRetry: "no",
  },
  invalid_form: {
    meaning: "The multipart form cannot be parsed, or has too many fields.",
    remedy: "Let the HTTP client write the form and its `content-type` header, boundary included.",
    callerRetry: "no",
  },
  invalid_url: {
    meaning: "The path has an invalid percent-encoding.",
    remedy: "Encode each part of the path, such as the id of a model, with `encodeURIComponent` or its like.",
    callerRetry: "no",
  },
  invalid_http: {
    meaning: "The bytes are not a valid HTTP request.",
    remedy: "Look for a proxy that changes the request, or for TLS spoken to a plain port.",
    callerRetry: "no",
  },
  missing_required_parameter: {
    meaning: "A parameter is missing. `param` names it. For `model`, the message lists the models there are.",
    remedy: "Send the parameter.",
    callerRetry: "no",
  },
  unknown_parameter: {
    meaning:
      "The parameter does not exist, and the model does not pass it through. The message names the one that was most likely meant.",
    remedy: "Correct the name, or leave the parameter out. The operator can let a model pass it through.",
    callerRetry: "no",
  },
  duplicate_parameter: {
    meaning: "A form field or a query parameter was sent more than once.",
    remedy: "Send it once. Several images of one edit go as repeated `image` parts.",
    callerRetry: "no",
  },
  unsupported_parameter: {
    meaning: "The model does not support the parameter. The message lists the supported ones.",
    remedy: "Leave the parameter out, or use a model that supports it: `GET /v1/models` says which.",
    callerRetry: "no",
  },
  unsupported_value: {
    meaning: "The model does not support the value. The message lists the supported ones.",
    remedy: "Send a value of the list, or use another model.",
    callerRetry: "no",
  },
  unsupported_operation: {
    meaning: "The model does not support the operation. The message lists the supported ones.",
    remedy: "Use a model of the right type. `GET /v1/models` lists the operations of each.",
    callerRetry: "no",
  },
  invalid_type: {
    meaning: "The value has the wrong type. The message has the expected one.",
    remedy: "Send the expected type: a number is not a string.",
    callerRetry: "no",
  },
  invalid_value: {
    meaning: "The value is not one of those in the message, or contradicts another parameter.",
    remedy: "Send a value that the message allows.",
    callerRetry: "no",
  },
  integer_above_max_value: {
    meaning: "The number is too large. The message has the maximum.",
    remedy: "Send a smaller number.",
    callerRetry: "no",
  },
  integer_below_min_value: {
    meaning: "The number is too small. The message has the minimum.",
    remedy: "Send a larger number.",
    callerRetry: "no",
  },
  string_above_max_length: {
    meaning: "The text is too long. The message has the maximum.",
    remedy: "Shorten the text, or split it into several inputs.",
    callerRetry: "no",
  },
  empty_string: {
    meaning: "The text is empty.",
    remedy: "Send at least one character, or leave empty texts out of the batch.",
    callerRetry: "no",
  },
  array_above_max_length: {
    meaning: "The array has too many items. The message has the maximum.",
    remedy: "Split the array over several requests.",
    callerRetry: "no",
  },
  empty_array: {
    meaning: "The array is empty.",
    remedy: "Send at least one item.",
    callerRetry: "no",
  },
  context_length_exceeded: {
    meaning:
      "An input has more tokens than the model supports. The message has both numbers where they are known.",
    remedy: "Split the text, or use a model with a longer context.",
    callerRetry: "no",
  },
  unsupported_file_mimetype: {
    meaning: "The file is not a PNG, JPEG or WebP image.",
    remedy: "Convert the image. The content decides, not the name of the file.",
    callerRetry: "no",
  },
  invalid_image_url: {
    meaning:
      "The image at the URL cannot be fetched: not `https`, a private address, too large, or no reply.",
    remedy: "Send the image as a file or as a data URL.",
    callerRetry: "no",
  },
  invalid_image_file: {
    meaning: "The image cannot be decoded, or the mask does not fit it.",
    remedy: "Check that the file is whole, and that the mask has the width and height of the first image.",
    callerRetry: "no",
  },
  moderation_blocked: {
    meaning: "The upstream refused the prompt or the image.",
    remedy: "Change the prompt or the image.",
    callerRetry: "no",
  },
  content_policy_violation: {
    meaning: "The upstream refused the prompt or the image, as older upstreams report it.",
    remedy: "Change the prompt or the image.",
    callerRetry: "no",
  },
  upstream_rejected: {
    meaning: "The upstream refused the request. The message is the upstream's.",
    remedy: "Read the message: it names what the provider does not accept.",
    callerRetry: "no",
  },
  missing_api_key: {
    meaning: "The request has no key.",
    remedy: "Send `Authorization: Bearer <key>` or `api-key: <key>`.",
    callerRetry: "no",
  },
  invalid_api_key: {
    meaning:
      "The key is unknown, disabled, expired or revoked, or the session is over. The message says which.",
    remedy: "Use a key that is active, or ask the operator for one.",
    callerRetry: "no",
  },
  invalid_signature: {
    meaning: "The image link was changed, or made by another gateway.",
    remedy: "Use the link exactly as the response had it.",
    callerRetry: "no",
  },
  model_not_allowed: {
    meaning: "The key may not call this model.",
    remedy: "Use a model that `GET /v1/models` lists for this key, or ask the operator.",
    callerRetry: "no",
  },
  admin_key_required: {
    meaning: "The key is valid, but this operation needs the admin key.",
    remedy: "Use the admin key, or a session that was created with it.",
    callerRetry: "no",
  },
  model_not_found: {
    meaning: "The model does not exist. The message names close ones.",
    remedy: "Use an id that `GET /v1/models` lists.",
    callerRetry: "no",
  },
  request_not_found: {
    meaning: "There is no record of a request with this id, not yet or no longer.",
    remedy:
      "Look again a moment after the response: the record is written in the background. Old records are deleted.",
    callerRetry: "no",
  },
  key_not_found: {
    meaning: "There is no key with this id, or it is a key of the configuration file.",
    remedy: "Use an id that `GET /admin/v1/keys` lists. Keys of the file are changed in the file.",
    callerRetry: "no",
  },
  unknown_url: {
    meaning: "The path does not exist. The message names the right path, or lists the operations.",
    remedy: "Check the base URL of the client: it ends with `/v1`.",
    callerRetry: "no",
  },
  method_not_allowed: {
    meaning: "The path exists, but not with this method.",
    remedy: "Use a method of the `allow` header.",
    callerRetry: "no",
  },
  request_timeout: {
    meaning: "The request did not arrive completely in time. The gateway closes the connection.",
    remedy: "Send it again. If it is large, look for a slow line or a proxy in between.",
    callerRetry: "later",
  },
  idempotency_conflict: {
    meaning: "The `Idempotency-Key` was used with another body.",
    remedy: "Use a new key for a new request.",
    callerRetry: "no",
  },
  idempotency_outcome_unknown: {
    meaning:
      "An earlier request with this `Idempotency-Key` was begun, and its response is lost: the gateway crashed meanwhile, or could not store it. Its images may have been created and paid for.",
    remedy: "Decide whether to pay again. A new key creates the images again; the old one never does.",
    callerRetry: "no",
  },
  space_mismatch: {
    meaning: "The vectors would be of another space than `x-gateway-space` names.",
    remedy: "Use the index of that space, or the model and the options of this one.",
    callerRetry: "no",
  },
  space_not_drifted: {
    meaning:
      "The vectors of the target have not changed, or were never checked, so there is nothing to accept.",
    remedy:
      "Look at `space_check` of the target in the list of upstreams. Accept only a target that has drifted.",
    callerRetry: "no",
  },
  key_revoked: {
    meaning: "The key was revoked, which is permanent.",
    remedy: "Create a new key.",
    callerRetry: "no",
  },
  key_in_file: {
    meaning: "The configuration file defines the key, so that the API cannot change it.",
    remedy: "Change the key in the file. The gateway reads it again by itself.",
    callerRetry: "no",
  },
  link_expired: {
    meaning: "The image link has expired, or the image was evicted.",
    remedy: "Create the image again, or ask for `b64_json` and store it yourself.",
    callerRetry: "no",
  },
  content_too_large: {
    meaning: "The body, a file or a field is over the limit in the message.",
    remedy: "Send less at once. The operator can raise the limits.",
    callerRetry: "no",
  },
  unsupported_content_type: {
    meaning: "The operation does not take this content type or encoding. The message lists those it takes.",
    remedy: "Send a content type of the message, in UTF-8, uncompressed.",
    callerRetry: "no",
  },
  range_not_satisfiable: {
    meaning: "The range is outside the file.",
    remedy: "Ask for a range inside the length that `content-range` names.",
    callerRetry: "no",
  },
  headers_too_large: {
    meaning: "The request headers are over 64 KiB.",
    remedy: "Send fewer or shorter headers. Cookies are a common cause.",
    callerRetry: "no",
  },
  rate_limit_exceeded: {
    meaning: "A limit of the key, of the gateway or of the upstream is reached.",
    remedy: "Wait for the time in `retry-after`. The official clients do so by themselves.",
    callerRetry: "later",
  },
  insufficient_quota: {
    meaning: "The budget of the key, or the account at the upstream, is used up.",
    remedy: "Ask the operator for a larger budget, or wait for the next period. A retry does not help.",
    callerRetry: "no",
  },
  internal_error: {
    meaning: "A fault in the gateway.",
    remedy: "Retry once. If it stays, give the `x-request-id` to the operator: the log has the cause.",
    callerRetry: "careful",
  },
  upstream_error: {
    meaning: "The upstream failed, and so did the others that could have served the request.",
    remedy: "Retry with growing pauses.",
    callerRetry: "careful",
  },
  upstream_invalid_answer: {
    meaning:
      "The upstream returned an invalid reply, such as too few vectors. The gateway hands out nothing that it could not verify.",
    remedy: "Retry. If it stays, tell the operator: the log has what was wrong.",
    callerRetry: "careful",
  },
  upstream_auth_error: {
    meaning:
      "The upstream, or the proxy in front of it, refused the gateway's own credentials. Your key is valid.",
    remedy: "Tell the operator, who renews the credentials of the upstream.",
    callerRetry: "later",
  },
  upstream_model_missing: {
    meaning: "The upstream does not know the model that the configuration names.",
    remedy: "Tell the operator, who corrects the name in the configuration.",
    callerRetry: "later",
  },
  upstream_unavailable: {
    meaning: "The upstream cannot be reached or is overloaded.",
    remedy: "Wait for the time in `retry-after`, then retry.",
    callerRetry: "careful",
  },
  model_unavailable: {
    meaning: "This gateway cannot serve the model. The message says why.",
    remedy: "Wait, or use another model. The operator sees the state of each target.",
    callerRetry: "later",
  },
  space_drifted: {
    meaning: "The vectors of the model have changed, and the operator lets no changed vectors pass.",
    remedy: "Tell the operator, who can accept the new vectors as a new revision of the space.",
    callerRetry: "later",
  },
  storage_unavailable: {
    meaning: "The gateway's database cannot be reached.",
    remedy: "Wait for the time in `retry-after`, then retry.",
    callerRetry: "later",
  },
  image_store_unavailable: {
    meaning: "The store for images cannot be reached. Nothing was bought, unless the message says so.",
    remedy: "Wait for the time in `retry-after`, or ask for `b64_json`.",
    callerRetry: "later",
  },
  storage_full: {
    meaning:
      "The gateway's disk is full, so it takes no large files and stores no images. Other requests still work.",
    remedy: "Ask for images as `b64_json`. The operator frees space.",
    callerRetry: "later",
  },
  idempotency_unavailable: {
    meaning:
      "The disk or the database has no room for the response, so a repeated request could not be recognised. Nothing was bought.",
    remedy:
      "Wait for the time in `retry-after`, then retry with the same key. Without an `Idempotency-Key` the request is served, and a retry may pay twice.",
    callerRetry: "later",
  },
  gateway_overloaded: {
    meaning: "The gateway has too much to do at once.",
    remedy: "Wait for the time in `retry-after`, then retry.",
    callerRetry: "later",
  },
  upstream_timeout: {
    meaning: "The upstream did not reply in time, or the time of `x-gateway-timeout-ms` is over.",
    remedy: "Retry with a longer time, or send a smaller request.",
    callerRetry: "careful",
  },
};
