import { createClient, type GatewayClient } from "@model-gateway/client";
import { gatewayRoot, retry } from "./session-client.js";

type FileUpload = Parameters<GatewayClient["uploadFile"]>[0] & { readonly file: Blob };

interface UploadOptions {
  /** The secret of the session. */
  readonly value: string;
  readonly signal: AbortSignal;
  /** @param share Of the bytes that were sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Uploads a file and reports the progress. The browser reads the file while it sends it. */
export function uploadFile(upload: FileUpload, { value, signal, onProgress }: UploadOptions) {
  const form = new FormData();
  form.append("purpose", upload.purpose);
  form.append("file", upload.file, nameOf(upload.file));
  const client = createClient({
    baseUrl: gatewayRoot,
    apiKey: value,
    retry,
    // `fetch` says nothing about the bytes that were sent.
    fetch: (request) => sendForm(request, form, onProgress),
  });
  return client.uploadFile(upload, { signal });
}

/** The gateway takes names that end in `.jsonl`, whatever the file is called here. */
function nameOf(file: Blob): string {
  const name = file instanceof File ? file.name : "requests";
  return name.endsWith(".jsonl") ? name : `${name}.jsonl`;
}

/** Sends a form in the place of the body of a request. */
function sendForm(
  { method, url, headers, signal }: Request,
  form: FormData,
  onProgress: (share: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sender = new XMLHttpRequest();
    sender.open(method, url);
    // The content type of the form has a boundary, which the browser chooses.
    for (const [name, value] of headers) if (name !== "content-type") sender.setRequestHeader(name, value);
    sender.upload.onprogress = ({ loaded, total }) => onProgress(loaded / Math.max(1, total));
    sender.onload = () => resolve(readResponse(sender));
    sender.onerror = () => reject(new TypeError("The gateway did not respond."));
    sender.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => sender.abort());
    sender.send(form);
  });
}

function readResponse(sender: XMLHttpRequest): Response {
  const lines = sender.getAllResponseHeaders().trim().split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return new Response(sender.responseText, { status: sender.status, headers });
}
