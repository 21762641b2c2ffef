// Written by `pnpm generate`. Do not edit.

/** Every error that the gateway can return. */
export declare const errorTable: {
  readonly invalid_json: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly invalid_form: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly invalid_url: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly invalid_http: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly missing_required_parameter: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly unknown_parameter: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly duplicate_parameter: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly unsupported_parameter: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly unsupported_value: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly unsupported_operation: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly invalid_type: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly invalid_value: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly integer_above_max_value: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly integer_below_min_value: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly string_above_max_length: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly empty_string: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly array_above_max_length: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly empty_array: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly context_length_exceeded: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly unsupported_file_mimetype: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly invalid_image_url: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly invalid_image_file: { readonly status: 400; readonly type: "image_generation_user_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly moderation_blocked: { readonly status: 400; readonly type: "image_generation_user_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly content_policy_violation: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly upstream_rejected: { readonly status: 400; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly missing_api_key: { readonly status: 401; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly invalid_api_key: { readonly status: 401; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly invalid_sign_in_code: { readonly status: 401; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly invalid_signature: { readonly status: 403; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly sign_in_code_not_local: { readonly status: 403; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly model_not_allowed: { readonly status: 403; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly file_quota_exceeded: { readonly status: 403; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly admin_key_required: { readonly status: 403; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly model_not_found: { readonly status: 404; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly key_not_found: { readonly status: 404; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly batch_not_found: { readonly status: 404; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly job_not_found: { readonly status: 404; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly request_not_found: { readonly status: 404; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly file_not_found: { readonly status: 404; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly unknown_url: { readonly status: 404; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly method_not_allowed: { readonly status: 405; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly request_timeout: { readonly status: 408; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "later" };
  readonly idempotency_conflict: { readonly status: 409; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly idempotency_outcome_unknown: { readonly status: 409; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly space_mismatch: { readonly status: 409; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly space_not_drifted: { readonly status: 409; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly key_revoked: { readonly status: 409; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly too_many_secrets: { readonly status: 409; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly configuration_changed: { readonly status: 409; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly key_in_file: { readonly status: 409; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly batch_ended: { readonly status: 409; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly link_expired: { readonly status: 410; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly content_too_large: { readonly status: 413; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly unsupported_content_type: { readonly status: 415; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly range_not_satisfiable: { readonly status: 416; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly headers_too_large: { readonly status: 431; readonly type: "invalid_request_error"; readonly retry: "never"; readonly callerRetry: "never" };
  readonly rate_limit_exceeded: { readonly status: 429; readonly type: "rate_limit_error"; readonly retry: "elsewhere"; readonly callerRetry: "later" };
  readonly insufficient_quota: { readonly status: 429; readonly type: "insufficient_quota"; readonly retry: "elsewhere"; readonly callerRetry: "never" };
  readonly internal_error: { readonly status: 500; readonly type: "server_error"; readonly retry: "never"; readonly callerRetry: "careful" };
  readonly upstream_error: { readonly status: 502; readonly type: "server_error"; readonly retry: "anywhere"; readonly callerRetry: "careful" };
  readonly upstream_invalid_reply: { readonly status: 502; readonly type: "server_error"; readonly retry: "anywhere"; readonly callerRetry: "careful" };
  readonly upstream_auth_error: { readonly status: 502; readonly type: "server_error"; readonly retry: "elsewhere"; readonly callerRetry: "later" };
  readonly upstream_model_missing: { readonly status: 502; readonly type: "server_error"; readonly retry: "elsewhere"; readonly callerRetry: "later" };
  readonly upstream_unavailable: { readonly status: 503; readonly type: "service_unavailable_error"; readonly retry: "anywhere"; readonly callerRetry: "careful" };
  readonly model_unavailable: { readonly status: 503; readonly type: "service_unavailable_error"; readonly retry: "elsewhere"; readonly callerRetry: "later" };
  readonly space_drifted: { readonly status: 503; readonly type: "service_unavailable_error"; readonly retry: "elsewhere"; readonly callerRetry: "later" };
  readonly storage_unavailable: { readonly status: 503; readonly type: "service_unavailable_error"; readonly retry: "never"; readonly callerRetry: "later" };
  readonly image_store_unavailable: { readonly status: 503; readonly type: "service_unavailable_error"; readonly retry: "never"; readonly callerRetry: "later" };
  readonly file_store_unavailable: { readonly status: 503; readonly type: "service_unavailable_error"; readonly retry: "never"; readonly callerRetry: "later" };
  readonly storage_full: { readonly status: 503; readonly type: "service_unavailable_error"; readonly retry: "never"; readonly callerRetry: "later" };
  readonly idempotency_unavailable: { readonly status: 503; readonly type: "service_unavailable_error"; readonly retry: "never"; readonly callerRetry: "later" };
  readonly gateway_overloaded: { readonly status: 503; readonly type: "service_unavailable_error"; readonly retry: "never"; readonly callerRetry: "later" };
  readonly upstream_timeout: { readonly status: 504; readonly type: "server_error"; readonly retry: "elsewhere"; readonly callerRetry: "careful" };
};

/** The names in braces of each message. Every one has `param`, so that it can be read from any. */
export interface MessageValues {
  readonly missing_required_parameter: { readonly param: string };
  readonly unknown_parameter: { readonly param: string };
  readonly duplicate_parameter: { readonly param: string };
  readonly unsupported_parameter: { readonly param: string };
  readonly unsupported_value: { readonly param: string; readonly value: string | number };
  readonly invalid_type: { readonly param: string; readonly expected: string | number; readonly actual: string | number };
  readonly invalid_value: { readonly param: string; readonly reason: string | number };
  readonly integer_above_max_value: { readonly param: string; readonly value: string | number; readonly maximum: string | number };
  readonly integer_below_min_value: { readonly param: string; readonly value: string | number; readonly minimum: string | number };
  readonly string_above_max_length: { readonly param: string; readonly maximum: string | number };
  readonly empty_string: { readonly param: string };
  readonly array_above_max_length: { readonly param: string; readonly maximum: string | number };
  readonly empty_array: { readonly param: string };
  readonly context_length_exceeded: { readonly param: string; readonly maxTokens: string | number };
  readonly invalid_image_file: { readonly param: string; readonly reason: string | number };
  readonly moderation_blocked: { readonly param?: undefined; readonly subject: string | number };
  readonly invalid_sign_in_code: { readonly param?: undefined };
  readonly invalid_signature: { readonly param?: undefined };
  readonly sign_in_code_not_local: { readonly param?: undefined };
  readonly model_not_allowed: { readonly param?: undefined; readonly model: string | number };
  readonly file_quota_exceeded: { readonly param?: undefined; readonly limit: string | number };
  readonly admin_key_required: { readonly param?: undefined };
  readonly model_not_found: { readonly param?: undefined; readonly model: string | number };
  readonly key_not_found: { readonly param?: undefined; readonly key: string | number };
  readonly batch_not_found: { readonly param?: undefined; readonly batch: string | number };
  readonly job_not_found: { readonly param?: undefined; readonly id: string | number };
  readonly request_not_found: { readonly param?: undefined; readonly id: string | number };
  readonly file_not_found: { readonly param?: undefined; readonly id: string | number };
  readonly method_not_allowed: { readonly param?: undefined; readonly method: string | number; readonly allowed: string | number };
  readonly idempotency_conflict: { readonly param?: undefined; readonly key: string | number };
  readonly idempotency_outcome_unknown: { readonly param?: undefined };
  readonly space_mismatch: { readonly param?: undefined; readonly expected: string | number; readonly actual: string | number; readonly difference: string | number };
  readonly space_not_drifted: { readonly param?: undefined; readonly model: string | number; readonly upstream: string | number };
  readonly key_revoked: { readonly param?: undefined; readonly key: string | number };
  readonly too_many_secrets: { readonly param?: undefined; readonly key: string | number; readonly count: string | number };
  readonly configuration_changed: { readonly param?: undefined; readonly version: string | number };
  readonly key_in_file: { readonly param?: undefined; readonly key: string | number };
  readonly batch_ended: { readonly param?: undefined; readonly batch: string | number; readonly status: string | number };
  readonly range_not_satisfiable: { readonly param?: undefined; readonly bytes: string | number };
  readonly upstream_invalid_reply: { readonly param?: undefined; readonly reason: string | number };
  readonly space_drifted: { readonly param?: undefined };
  readonly storage_unavailable: { readonly param?: undefined };
  readonly image_store_unavailable: { readonly param?: undefined };
  readonly file_store_unavailable: { readonly param?: undefined };
  readonly storage_full: { readonly param?: undefined };
  readonly idempotency_unavailable: { readonly param?: undefined };
}

export declare const errorMessages: {
  readonly [code in keyof MessageValues]: (values: MessageValues[code]) => string;
};

/** The pages of the site. Backticks mark code. */
export declare const errorHelp: {
  readonly [code in keyof typeof errorTable]: {
    /** The cause. */
    readonly meaning: string;
    /** The action to take. */
    readonly remedy: string;
    /** The text of the response, with names in braces, where several places have the same. */
    readonly message?: string;
  };
};
