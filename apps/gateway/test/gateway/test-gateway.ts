/** The key of the caller `tester`, which every test gateway has. */
export const testKey = "test-key-0123456789";
export const testAdminKey = "test-admin-key-0123456789";

/** A running gateway, in this process or a separate one. */
export interface TestGateway {
  readonly url: string;
  readonly dataDir: string;
  /** The JSON lines of the log. A test may empty the array. */
  readonly logLines: string[];
  /** The files that the bodies of forms have left on disk. */
  readonly spooled: () => Promise<string[]>;
  /** Sends a request with the test key, unless `init` has another. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  readonly sendJson: (path: string, body: unknown, init?: RequestInit) => Promise<Response>;
  /** Lets requests in flight finish first. */
  stop(): Promise<unknown>;
}

/** The first lines of a configuration: where a test gateway listens and stores, and who may call it. */
export const testConfig = `port: 0\ndataDir: ./data\nkeys: [{ name: tester, owner: testers, key: "\${TEST_KEY}" }]\n`;

/** The environment that goes with `testConfig`. */
export const testEnvironment = { TEST_KEY: testKey, GATEWAY_ADMIN_KEY: testAdminKey } as const;

export function senders(url: string): Pick<TestGateway, "send" | "sendJson"> {
  const send: TestGateway["send"] = (path, init) => {
    const headers = new Headers(init?.headers);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${testKey}`);
    return fetch(`${url}${path}`, { ...init, headers });
  };
  return {
    send,
    sendJson: (path, body, init) =>
      send(path, {
        method: "POST",
        ...init,
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...Object.fromEntries(new Headers(init?.headers)) },
      }),
  };
}
