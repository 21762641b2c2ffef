import type { CredentialState } from "@model-gateway/domain/credential-state";
import { span } from "./figures.js";
import type { Tone } from "./terminal.js";

type ShownCredential = Pick<CredentialState, "source" | "status" | "expiresAt">;

/** One line about a credential, such as "expires in 12 min, from the role of this instance". */
export function credentialText({ source, status, expiresAt }: ShownCredential, now: number): string {
  const end = expiresAt === null ? "does not expire" : `expires in ${span(expiresAt - now)}`;
  switch (status) {
    case "idle":
      return `not requested yet, from ${source}`;
    case "valid":
      return `${end}, from ${source}`;
    case "failing":
      return `${end}, and was not renewed, from ${source}`;
    case "missing":
      return `none, from ${source}`;
  }
}

export function credentialTone({ status }: Pick<ShownCredential, "status">): Tone {
  return { idle: "faint", valid: "good", failing: "warning", missing: "bad" }[status] as Tone;
}
