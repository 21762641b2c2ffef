import { encodeUriPart } from "@model-gateway/domain/aws-signature";
import type { Call } from "../call.js";
import type { IncomingReply, OutgoingRequest, Send } from "../http/send.js";

/** The body of a call, and its headers. */
type InvokeBody = Pick<OutgoingRequest, "headers" | "body">;

/** Sends a body to the model of a call. */
export type Invoke = (body: InvokeBody, call: Call) => Promise<IncomingReply>;

/**
 * @param inferenceProfiles The profiles that are called for models.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html
 */
export function createInvoke(send: Send, inferenceProfiles: Readonly<Record<string, string>>): Invoke {
  return ({ headers, ...sent }, call) => {
    const id = Object.hasOwn(inferenceProfiles, call.model) ? inferenceProfiles[call.model] : undefined;
    // An ARN's colons and slashes are part of one segment.
    const path = `/model/${encodeUriPart(id ?? call.model)}/invoke`;
    return send({ path, headers: { ...headers, accept: "application/json" }, ...sent }, call);
  };
}

export function jsonBody(document: object): InvokeBody {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(document) };
}

/**
 * The foundation model id behind a name, without the region of an inference profile: `us.cohere.embed-v4:0` and
 * `arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.cohere.embed-v4:0` are both `cohere.embed-v4:0`. An
 * application profile's ARN does not contain it.
 */
export function modelIdOf(name: string): string {
  const last = name.startsWith("arn:") ? name.slice(name.lastIndexOf("/") + 1) : name;
  return /^(?:[a-z-]{2,12}\.)?((?:amazon|cohere|stability)\..+)$/.exec(last)?.[1] ?? last;
}
