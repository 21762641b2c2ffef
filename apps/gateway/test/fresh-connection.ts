import { type IncomingHttpHeaders, request } from "node:http";

export interface FreshAnswer {
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

/** Sends a request over a connection of its own, which any worker may get. */
export function sendFresh(url: string, { key, body, headers, signal }: FreshRequest): Promise<FreshAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent: false,
      signal,
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    });
    sent.on("error", reject);
    sent.on("response", (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text,
          body: () => JSON.parse(text),
        }),
      );
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Sends as many at the same time. */
export function sendMany(count: number, send: () => Promise<FreshAnswer>): Promise<FreshAnswer[]> {
  return Promise.all(Array.from({ length: count }, send));
}
