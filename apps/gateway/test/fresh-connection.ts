import { type IncomingHttpHeaders, request } from "node:http";

export interface FreshResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the contract tests hold every body against the spec.
  readonly body: () => any;
}

export interface FreshRequest {
  readonly key: string;
  /** Sent as JSON; without it the request is a GET. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends a request over a new connection, which any worker may get. */
export function sendFresh(url: string, { key, body, headers, signal }: FreshRequest): Promise<FreshResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent: false,
      signal,
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: () => JSON.parse(text),
        }),
      );
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Sends as many at the same time. */
export function sendMany(count: number, send: () => Promise<FreshResponse>): Promise<FreshResponse[]> {
  return Promise.all(Array.from({ length: count }, send));
}
