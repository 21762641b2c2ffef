/** An upstream's word on the provenance of an image. A signal that it does not know is absent. */
export interface ProvenanceReply {
  readonly c2pa?: {
    readonly outcome: "detected" | "not_detected";
    readonly validationState: "trusted" | "valid" | "invalid" | "not_present";
    readonly issuer: string | null;
    readonly model: string | null;
    readonly generatedAt: string | null;
  };
  readonly synthid?: {
    readonly outcome: "detected" | "not_detected";
    readonly model: string | null;
    readonly generatedAt: string | null;
  };
}
