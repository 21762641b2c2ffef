import { randomUUID } from "node:crypto";
import { generate } from "selfsigned";

const dayMs = 86_400_000;
const basis = { keyType: "ec", algorithm: "sha256" } as const;

/** A certificate and its private key, as PEM text. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface IssueOptions {
  /** The name of a server. Default: this machine's. */
  readonly hostname?: string;
  readonly isExpired?: boolean;
  /** Encrypts the private key. */
  readonly passphrase?: string;
}

/** A certificate authority for tests. */
export interface Authority {
  /** Its own certificate, as PEM text. */
  readonly ca: string;
  issue(options?: IssueOptions): Promise<KeyPair>;
}

/** Creates an authority that is not trusted yet. */
export async function createAuthority(): Promise<Authority> {
  const own = await generate([{ name: "commonName", value: `Test authority ${randomUUID()}` }], {
    ...basis,
    notBeforeDate: new Date(Date.now() - 2 * dayMs),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
  });
  return {
    ca: own.cert,
    issue: async ({ hostname = "localhost", isExpired = false, passphrase } = {}) => {
      const issued = await generate([{ name: "commonName", value: hostname }], {
        ...basis,
        ca: { cert: own.cert, key: own.private },
        notBeforeDate: new Date(Date.now() - 2 * dayMs),
        notAfterDate: new Date(Date.now() + (isExpired ? -dayMs : dayMs)),
        ...(passphrase === undefined ? {} : { passphrase }),
      });
      return { cert: issued.cert, key: issued.private };
    },
  };
}
