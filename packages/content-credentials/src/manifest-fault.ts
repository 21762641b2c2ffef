/**
 * Why a manifest is not valid, as a failure code of C2PA.
 * https://spec.c2pa.org/specifications/specifications/2.2/specs/C2PA_Specification.html#_standard_status_codes
 */
export type ManifestFaultCode =
  | "manifest.multipleStores"
  | "manifest.structure.invalid"
  | "claim.missing"
  | "claim.multiple"
  | "claim.cbor.invalid"
  | "claim.malformed"
  | "claim.hardBindings.missing"
  | "claimSignature.missing"
  | "claimSignature.mismatch"
  | "signingCredential.invalid"
  | "assertion.missing"
  | "assertion.outsideManifest"
  | "assertion.undeclared"
  | "assertion.cbor.invalid"
  | "assertion.hashedURI.mismatch"
  | "assertion.multipleHardBindings"
  | "assertion.dataHash.malformed"
  | "assertion.dataHash.mismatch"
  | "algorithm.unsupported";

/** A manifest that is damaged or does not belong to its image. */
export class ManifestFault extends Error {
  readonly code: ManifestFaultCode;

  constructor(code: ManifestFaultCode, cause?: unknown) {
    super(`The manifest is not valid: ${code}.`, { cause });
    this.name = "ManifestFault";
    this.code = code;
  }
}

/** An image whose manifest the gateway cannot check. The message is a sentence for the caller. */
export class UncheckedManifest extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "UncheckedManifest";
  }
}
