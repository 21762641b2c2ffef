import { codeOf } from "@model-gateway/domain/failure-code";
/** The reason of a failed connection. */
export type ConnectFailure =
  | "timeout"
  /** The certificate of the upstream could not be verified. */
  | "untrusted"
  /** The upstream wants another client certificate. */
  | "certificate"
  | "proxy"
  | "proxy-credentials"
  | "unreachable";

/** A connection was not made, so the upstream cannot have started any work. Its message names no credentials. */
export class ConnectError extends Error {
  readonly reason: ConnectFailure;
  /** The code of the cause, such as `ECONNREFUSED`; the status of a proxy that refused. */
  readonly code: string;

  constructor(reason: ConnectFailure, code: string) {
    super(`The connection failed: ${reason} (${code}).`);
    this.name = "ConnectError";
    this.reason = reason;
    this.code = code;
  }
}

/** Node and OpenSSL codes for an untrusted certificate. */
const untrustedCodes = new Set([
  "CERT_CHAIN_TOO_LONG",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REJECTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

export function connectErrorOf(failure: unknown): ConnectError {
  const code = codeOf(failure);
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT") return new ConnectError("timeout", code);
  if (isCertificateAlert(code)) return new ConnectError("certificate", code);
  return new ConnectError(untrustedCodes.has(code) ? "untrusted" : "unreachable", code);
}

/**
 * Whether a code is an alert by which a server refuses the client's certificate. With TLS 1.3 it comes after the
 * handshake, and undici reports a closed connection instead.
 */
function isCertificateAlert(code: string): boolean {
  return /^ERR_SSL_\w+_ALERT_(CERTIFICATE_\w+|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA)$/.test(
    code,
  );
}
