import {
  type ClientSettings,
  createClient,
  type GatewayClient,
  type GatewayEvent,
  type Readiness,
  type Result,
} from "@model-gateway/client";
import { objectAt } from "@model-gateway/runtime/json";
import { CommandError } from "./command-error.js";
import {
  explainFault,
  explainNetworkFailure,
  missingAdminKey,
  missingApiKey,
  missingKey,
  type Refusal,
} from "./explain-failure.js";
import type { FoundGateway, FoundSecret } from "./find-gateway.js";
import { readText } from "./read-text.js";

/** The admin API responds at once, or something is wrong with the gateway. */
const adminMs = 15_000;
/** The first request to a model may load it. */
export const embeddingMs = 120_000;
/** The gateway itself gives an image five minutes. */
export const imageMs = 330_000;
/** A file of 512 MB at 3 Mbit/s. */
const transferMs = 30 * 60_000;
/** Ten images of 50 MB, in base64. */
const imagesBytesMax = 700 * 1024 * 1024;
const refusalBytesMax = 4 * 1024 * 1024;

/** One operation of the typed client. */
type ClientCall<Data> = (
  client: GatewayClient,
  options: { readonly signal: AbortSignal },
) => Promise<Result<Data>>;

/** A successful call: the data, and the response for its headers. */
export type Called<Data> = Extract<Result<Data>, { readonly ok: true }>;

/** A gateway that a command calls. Each failure is a sentence, and each wait has an end. */
export class RemoteGateway {
  readonly found: FoundGateway;
  readonly #signal: AbortSignal;

  /** @param signal Aborts when the person ends the command. */
  constructor(found: FoundGateway, signal: AbortSignal) {
    this.found = found;
    this.#signal = signal;
  }

  get url(): string {
    return this.found.url;
  }

  get hasAdminKey(): boolean {
    return this.found.adminKey !== undefined;
  }

  /** Whether the gateway can serve requests, and the state of its storage. Needs no key. */
  async readiness(): Promise<Readiness> {
    const client = this.#client();
    const result = await this.#bounded(adminMs, (signal) =>
      client.checkReadiness({ verbose: "" }, { signal }),
    );
    if (result.ok) return result.data;
    if (result.readiness !== null) return result.readiness;
    throw explainFault(result, { found: this.found });
  }

  /** Whether it has the pages of the console. Needs no key. */
  servesConsole(): Promise<boolean> {
    return this.#bounded(adminMs, async (signal) => {
      const { ok } = await fetch(`${this.url}/console/`, { method: "HEAD", signal });
      return ok;
    });
  }

  /** Calls an operation of the admin API. */
  async administer<Data>(call: ClientCall<Data>): Promise<Data> {
    const secret = this.found.adminKey;
    if (secret === undefined) throw missingAdminKey(this.found);
    const client = this.#client({ adminKey: secret.text });
    return (await this.#call(client, { call, secret, timeoutMs: adminMs })).data;
  }

  /** The events from now on. The time limit is that of the first byte. */
  openEvents(): Promise<AsyncIterable<GatewayEvent>> {
    return this.administer((client, options) => client.streamEvents({}, options));
  }

  /**
   * Does work as a caller of models: with the key in GATEWAY_KEY, else with an operator's session that ends afterwards.
   */
  async asCaller<Done>(work: (caller: RemoteCaller) => Promise<Done>): Promise<Done> {
    const { apiKey, adminKey } = this.found;
    if (apiKey !== undefined) return work(this.#caller(apiKey));
    if (adminKey === undefined) throw missingKey(this.found);
    const session = await this.administer((client, options) => client.createSession(options));
    try {
      return await work(this.#caller({ text: session.value, from: "a session" }));
    } finally {
      await this.#end(session.value);
    }
  }

  /** The caller of the key in GATEWAY_KEY. */
  asKey(): RemoteCaller {
    const { apiKey } = this.found;
    if (apiKey === undefined) throw missingApiKey();
    return this.#caller(apiKey);
  }

  /** Commands report a failure at once; those that wait for a gateway have their own pace. */
  #client(keys: Pick<ClientSettings, "adminKey" | "apiKey"> = {}): GatewayClient {
    return createClient({ baseUrl: this.url, retry: { max: 0 }, ...keys });
  }

  #caller(secret: FoundSecret): RemoteCaller {
    const client = this.#client({ apiKey: secret.text });
    return {
      call: (call, timeoutMs = adminMs) => this.#call(client, { call, secret, timeoutMs }),
      exchange: (path, init) => this.#exchange(path, init, secret),
      transfer: (path, init, read) => this.#transfer({ path, init, read, secret }),
    };
  }

  /** A session that cannot be ended ends by itself after eight hours. */
  async #end(session: string): Promise<void> {
    const client = this.#client({ adminKey: session });
    await client.endSession({ signal: AbortSignal.timeout(adminMs) }).catch(() => undefined);
  }

  async #call<Data>(
    client: GatewayClient,
    { call, secret, timeoutMs }: GatewayCall<Data>,
  ): Promise<Called<Data>> {
    const result = await this.#bounded(timeoutMs, (signal) => call(client, { signal }));
    if (result.ok) return result;
    throw explainFault(result, { found: this.found, secret });
  }

  #exchange(path: string, init: RequestInit, secret: FoundSecret): Promise<Exchange> {
    const headers = { authorization: `Bearer ${secret.text}`, ...init.headers };
    return this.#bounded(imageMs, async (signal) => {
      const response = await fetch(`${this.url}${path}`, { ...init, headers, signal });
      const limit = { bytesMax: imagesBytesMax, from: this.url };
      return { status: response.status, text: await readText(response, limit) };
    });
  }

  #transfer<Done>({ path, init, read, secret }: CommandTransfer<Done>): Promise<Done> {
    const headers = { authorization: `Bearer ${secret.text}`, ...init.headers };
    return this.#bounded(transferMs, async (signal) => {
      const response = await fetch(`${this.url}${path}`, { ...init, headers, signal });
      if (response.ok) return read(response);
      throw explainFault(await readRefusal(response), { found: this.found, secret });
    });
  }

  async #bounded<T>(timeoutMs: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    try {
      return await run(AbortSignal.any([this.#signal, limit.signal]));
    } catch (failure) {
      if (this.#signal.aborted) throw new CommandError("Interrupted.");
      if (failure instanceof CommandError) throw failure;
      const late = limit.signal.aborted ? timeoutMs : undefined;
      throw explainNetworkFailure(failure, { found: this.found, timeoutMs: late });
    } finally {
      clearTimeout(timer);
    }
  }
}

interface GatewayCall<Data> {
  readonly call: ClientCall<Data>;
  readonly secret: FoundSecret;
  readonly timeoutMs: number;
}

interface CommandTransfer<Done> {
  readonly path: string;
  readonly init: RequestInit;
  readonly read: (response: Response) => Promise<Done>;
  readonly secret: FoundSecret;
}

/** An error response that the typed client has not read. */
async function readRefusal(response: Response): Promise<Refusal> {
  const { status, headers } = response;
  const text = await readText(response, { bytesMax: refusalBytesMax, from: response.url });
  const { code, message } = objectAt(parse(text), "error");
  const error =
    typeof message === "string"
      ? { code: typeof code === "string" ? code : "unexpected_response", message }
      : { code: "unexpected_response", message: `Unexpected response: ${status}` };
  return { error, status, requestId: headers.get("x-request-id"), response };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A response as it came. */
export interface Exchange {
  readonly status: number;
  readonly text: string;
}

/** Calls models. */
export interface RemoteCaller {
  call<Data>(call: ClientCall<Data>, timeoutMs?: number): Promise<Called<Data>>;
  /** Sends a request as it is. The response may be an error. */
  exchange(path: string, init: RequestInit): Promise<Exchange>;
  /** Sends or receives a file. Throws unless the response is a success. */
  transfer<Done>(path: string, init: RequestInit, read: (response: Response) => Promise<Done>): Promise<Done>;
}
