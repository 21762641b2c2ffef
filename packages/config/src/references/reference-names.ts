/** A place of a secret outside the environment: a file, a Vault or a secrets manager. */
export type Reference =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "vault"; readonly path: string; readonly field: string }
  | { readonly kind: "aws-secret"; readonly id: string; readonly field: string | undefined };

/** The values of references that are not files, as the configuration reads them. `FetchedSecrets` implements it. */
export interface SecretReferences {
  /** The value, or why there is none. */
  readonly find: (name: string) => { readonly value: string } | { readonly fault: string };
}

/** Whether the name in `${name}` is that of such a place, and not of a variable. */
export function isReferenceName(name: string): boolean {
  return /^(file|vault|aws-secret):/.test(name);
}

/** Undefined for a name that says no place. */
export function readReference(name: string): Reference | undefined {
  const [, path] = /^file:(\S.*)$/.exec(name) ?? [];
  if (path !== undefined) return { kind: "file", path };
  const [, secret, key] = /^vault:([\w-]+(?:\/[\w.-]+)+)#([\w.-]+)$/.exec(name) ?? [];
  if (secret !== undefined && key !== undefined && !/(^|\/)\.\.?(\/|$)/.test(secret))
    return { kind: "vault", path: secret, field: key };
  const [, id, field] = /^aws-secret:([\w/+=.@:-]{1,2048})(?:#([\w.-]+))?$/.exec(name) ?? [];
  return id === undefined ? undefined : { kind: "aws-secret", id, field };
}

/** How each is written. */
export const referenceForms =
  "${file:/run/secrets/name}, ${vault:secret/path#field}, ${aws-secret:name#field} or ${aws-secret:name}";
