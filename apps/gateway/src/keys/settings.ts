/** What replicas agree on once and for all, such as a secret that they share. */
export interface Settings {
  /** The value under a name. Where there is none it is made, and of several who do so at once one wins for all. */
  settleOnce(name: string, make: () => string): Promise<SettledValue>;
}

export interface SettledValue {
  readonly value: string;
  /** Whether it was made by this very call. */
  readonly isNew: boolean;
}
