import { encodeUriPart } from "../../domain/aws-signature.js";
import type { Call } from "../call.js";
import type { IncomingReply, Send } from "../http/send.js";

/** Sends a body to the model of a call. */
export type Invoke = (body: object, call: Call) => Promise<IncomingReply>;

const headers = { "content-type": "application/json", accept: "application/json" };

/**
 * @param inferenceProfiles The profiles that are called for models.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html
 */
export function createInvoke(send: Send, inferenceProfiles: Readonly<Record<string, string>>): Invoke {
  return (body, call) => {
    const id = Object.hasOwn(inferenceProfiles, call.model) ? inferenceProfiles[call.model] : undefined;
    // An ARN's colons and slashes are part of one segment.
    const path = `/model/${encodeUriPart(id ?? call.model)}/invoke`;
    // Not a stream: the signature covers all of it.
    return send({ path, headers, body: JSON.stringify(body) }, call);
  };
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
