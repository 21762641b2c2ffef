/** A Postman collection, v2.1. Bruno, Insomnia and Hoppscotch import it as well. */
export interface Collection {
  readonly info: Readonly<Record<string, string>>;
  readonly item: readonly Folder[];
  readonly auth: Auth;
  readonly variable: readonly Field[];
}

export interface Folder {
  readonly name: string;
  readonly description?: string;
  readonly item: readonly Item[];
}

export interface Item {
  readonly id: string;
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: Url;
    readonly description: string;
    readonly header: readonly Field[];
    readonly auth?: Auth;
    readonly body?: Body;
  };
}

export interface Url {
  readonly raw: string;
  readonly host: readonly string[];
  readonly path: readonly string[];
  readonly query: readonly Field[];
  readonly variable: readonly Field[];
}

/** A header, a parameter, a variable or a field of a form. */
export interface Field {
  readonly key: string;
  readonly value?: string;
  readonly type?: "text" | "file" | "string";
  /** The file that the user chooses. */
  readonly src?: null;
  readonly description?: string;
  readonly disabled?: boolean;
}

export type Body =
  | { readonly mode: "raw"; readonly raw: string; readonly options: unknown }
  | { readonly mode: "formdata"; readonly formdata: readonly Field[] };

export type Auth =
  | { readonly type: "noauth" }
  | { readonly type: "bearer"; readonly bearer: readonly Field[] };
