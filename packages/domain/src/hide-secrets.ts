/** Hides secrets in texts that leave the gateway. `SecretFilter` implements it. */
export interface HideSecrets {
  /** The text with a placeholder for each secret in it. */
  hide(text: string): string;
  /** The same for a JSON document. It stays one, because only its strings are changed. */
  hideInJson(json: string): string;
  /** Adds a secret that is not in the configuration, such as a token that was issued. */
  learn(secret: string): void;
}
