/** A method of the client: one way to call an operation. Most operations have one. */
export interface ClientMethod {
  readonly operation: string;
  /** The method and the path of the request. */
  readonly request: string;
  /** The keys that the operation takes, by their names in the settings of the client. The first that is set is sent. */
  readonly keys: readonly ("apiKey" | "adminKey")[];
  /** The arguments before the options: the parameters of the path, then `body` and `query`. */
  readonly takes: readonly string[];
  readonly returns: "document" | "job" | "text" | "bytes" | "events" | "pages";
  /** The beginning of the content type of a text or of bytes. */
  readonly type?: string;
  /** The content type to ask for, if the operation has others. */
  readonly accept?: string;
  /** The constant `object` of the document. */
  readonly object?: string;
  /** The first required property of the document, in addition to `object`. */
  readonly has?: string;
  /** The types of a stream's events, with the first required property of each. */
  readonly events?: Readonly<Record<string, string>>;
  /** The event without which a stream is incomplete. */
  readonly until?: string;
  /** The parameter of the query that leads to the next page. */
  readonly cursor?: string;
  /** The files of a form, with the name of one that has none. An image gets its extension. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether a body without files is sent as JSON. */
  readonly json?: true;
  /** Whether the operation is a probe, which asks for the state of this moment. */
  readonly probe?: true;
}
