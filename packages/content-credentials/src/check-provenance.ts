import { GatewayError } from "@model-gateway/domain/errors";
import type { ImageInput } from "@model-gateway/domain/image-input";
import type { Schemas } from "@model-gateway/domain/operations";
import type { ProvenanceReply } from "@model-gateway/domain/provenance";
import { FairSemaphore } from "@model-gateway/runtime/fair-semaphore";
import { checkManifest, type ManifestCheck } from "./check-manifest.js";

type C2paResult = Schemas["C2paResult"];
type UncheckedSignal = Schemas["UncheckedSignal"];

/** Checks the provenance of images at an upstream. */
export type AskUpstream = (image: ImageInput, signal: AbortSignal) => Promise<ProvenanceReply>;

interface ProvenanceOptions {
  /** Absent where the operator has configured no upstream for it. */
  readonly askUpstream?: AskUpstream;
  /** Called with the failure of an upstream, which does not fail the check. */
  readonly onFailure: (failure: GatewayError) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Each holds a manifest in memory, and hashes a file. Callers take turns. */
const parallelMax = 2;

/** Checks the provenance of images: content credentials here, and the rest at an upstream. */
export class ProvenanceChecks {
  readonly #options: ProvenanceOptions;
  readonly #semaphore = new FairSemaphore(parallelMax);

  constructor(options: ProvenanceOptions) {
    this.#options = options;
  }

  async check(
    image: ImageInput,
    { caller, signal }: { readonly caller: string; readonly signal: AbortSignal },
  ): Promise<Schemas["ContentProvenanceCheck"]> {
    const [own, upstream] = await Promise.all([
      this.#semaphore.run(caller, () => checkManifest(image)),
      this.#askUpstream(image, signal),
    ]);
    const { c2pa, synthid } = "reply" in upstream ? upstream.reply : {};
    const manifest = c2pa?.outcome === "detected" ? fromUpstream(c2pa) : describeCheck(own);
    const reason = "reason" in upstream ? upstream.reason : "The upstream has not checked it.";
    const outcomes: (Schemas["ContentProvenanceCheck"]["results"][number] | UncheckedSignal)[] = [
      manifest,
      synthid === undefined ? { type: "synthid", reason } : describeWatermark(synthid),
    ];
    return {
      object: "content_provenance_check",
      created_at: Math.floor(this.#options.now() / 1000),
      results: outcomes.filter((one) => "outcome" in one),
      not_checked: outcomes.filter((one) => "reason" in one),
    };
  }

  async #askUpstream(
    image: ImageInput,
    signal: AbortSignal,
  ): Promise<{ readonly reply: ProvenanceReply } | { readonly reason: string }> {
    const { askUpstream, onFailure } = this.#options;
    if (askUpstream === undefined) return { reason: "No upstream of this gateway checks it." };
    try {
      return { reply: await askUpstream(image, signal) };
    } catch (failure) {
      if (!(failure instanceof GatewayError)) throw failure;
      onFailure(failure);
      return { reason: "The upstream that checks it has failed." };
    }
  }
}

/** The parts that no check of the gateway covers. */
const neverVerified: C2paResult["not_verified"] = [
  "signer_trust",
  "signing_time",
  "revocation",
  "ingredients",
];

function describeCheck(check: ManifestCheck): C2paResult | UncheckedSignal {
  const nothing = { issuer: null, model: null, generated_at: null, failure_code: null, not_verified: [] };
  const base = { type: "c2pa", checked_by: "gateway" } as const;
  switch (check.state) {
    case "unchecked":
      return { type: "c2pa", reason: check.reason };
    case "absent":
      return { ...base, ...nothing, outcome: "not_detected", validation_state: "not_present" };
    case "invalid":
      return {
        ...base,
        ...nothing,
        outcome: "not_detected",
        validation_state: "invalid",
        failure_code: check.code,
      };
    case "valid":
      return {
        ...base,
        outcome: "detected",
        validation_state: "valid",
        issuer: check.issuer,
        model: check.model,
        generated_at: check.generatedAt,
        failure_code: null,
        not_verified: [...neverVerified, ...(check.hasOtherExclusions ? (["excluded_bytes"] as const) : [])],
      };
  }
}

function fromUpstream(reply: NonNullable<ProvenanceReply["c2pa"]>): C2paResult {
  return {
    type: "c2pa",
    outcome: reply.outcome,
    validation_state: reply.validationState,
    issuer: reply.issuer,
    model: reply.model,
    generated_at: reply.generatedAt,
    checked_by: "upstream",
    failure_code: null,
    not_verified: [],
  };
}

function describeWatermark(reply: NonNullable<ProvenanceReply["synthid"]>): Schemas["SynthIdResult"] {
  const { outcome, model, generatedAt } = reply;
  return { type: "synthid", outcome, model, generated_at: generatedAt };
}
