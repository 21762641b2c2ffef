import type { Config } from "@model-gateway/config/config";
import type { Schemas } from "@model-gateway/domain/operations";
import type { Handler } from "../../execution/handler.js";

/** The configuration in force, and the last attempt to replace it. Times are milliseconds since 1970. */
export interface ConfigurationStatus {
  readonly file: string | undefined;
  /** YAML without secrets. */
  readonly text: string;
  readonly version: string | undefined;
  readonly entries: Config["entries"];
  /** Looks at the file. Undefined if it can be changed. */
  readonly whyNotEditable: () => Schemas["Configuration"]["not_editable_reason"] | undefined;
  readonly publicUrl: string | undefined;
  readonly readAt: number;
  /** Undefined if the last file that was read is in force. */
  readonly refusal: { readonly at: number; readonly faults: readonly string[] } | undefined;
}

export interface ConfigurationHandlerServices {
  readonly configuration: () => ConfigurationStatus;
}

export function retrieveConfiguration({
  configuration,
}: ConfigurationHandlerServices): Handler<"retrieveConfiguration"> {
  return async () => {
    const { file, text, version, entries, whyNotEditable, publicUrl, readAt, refusal } = configuration();
    const reason = whyNotEditable();
    return {
      body: {
        object: "configuration",
        file: file ?? null,
        format: "yaml",
        text,
        version: version ?? null,
        upstreams: entries.upstreams,
        models: entries.models,
        editable: reason === undefined,
        not_editable_reason: reason ?? null,
        public_url: publicUrl ?? null,
        read_at: Math.floor(readAt / 1000),
        last_refusal: describeRefusal(refusal),
      },
    };
  };
}

export function describeRefusal(refusal: ConfigurationStatus["refusal"]): Schemas["ConfigurationRefusal"] {
  return refusal === undefined ? null : { at: Math.floor(refusal.at / 1000), faults: [...refusal.faults] };
}
