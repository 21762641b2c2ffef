import { GatewayError } from "@model-gateway/domain/errors";
import type { ProvenanceReply } from "@model-gateway/domain/provenance";
import { z } from "zod";
import { readJson } from "../../http/json-request.js";
import type { Send } from "../../http/send.js";
import type { CheckProvenance } from "../../provider.js";
import { encodeForm } from "../images/image-body.js";

const replyBytesMax = 256 * 1024;

const text = z.string().max(1024).nullable().default(null);
const time = z.iso.datetime({ offset: true }).nullable().default(null).catch(null);
const found = { outcome: z.enum(["detected", "not_detected"]), model: text, generated_at: time };
const c2pa = z.object({
  ...found,
  type: z.literal("c2pa"),
  validation_state: z.enum(["trusted", "valid", "invalid", "not_present"]),
  issuer: text,
});
const synthid = z.object({ ...found, type: z.literal("synthid") });
/** Signals of later versions are skipped. */
const check = z.object({
  object: z.literal("content_provenance_check"),
  results: z.array(z.union([c2pa, synthid, z.object({ type: z.string() })])).max(100),
});

/** https://platform.openai.com/docs/api-reference/content-provenance-checks/create */
export function createProvenanceCheck(send: Send): CheckProvenance {
  return async (image, call) => {
    const form = encodeForm([{ name: "file", image }]);
    const reply = await send({ path: "/content_provenance_checks", ...form }, call);
    const read = check.safeParse(await readJson(reply, replyBytesMax));
    if (read.success) return Object.assign({}, ...read.data.results.map(signalOf));
    throw new GatewayError("upstream_invalid_reply", "The upstream's provenance check is not valid.");
  };
}

function signalOf(result: z.output<typeof check>["results"][number]): ProvenanceReply {
  if (!("outcome" in result)) return {};
  const { outcome, model, generated_at: generatedAt } = result;
  if (result.type === "synthid") return { synthid: { outcome, model, generatedAt } };
  const { validation_state: validationState, issuer } = result;
  return { c2pa: { outcome, validationState, issuer, model, generatedAt } };
}
