import type { GatewayError } from "@model-gateway/domain/errors";

type WriteForm = (message: string, requestId: string) => object;

/** The paths of other APIs, whose clients read errors in another form. */
const foreignForms: readonly (readonly [string, WriteForm])[] = [
  ["/api/", (error) => ({ error })],
  ["/v2/", (message, id) => ({ id, message })],
  ["/v1/multimodalembeddings", (detail) => ({ detail })],
];

/** The body of an error response. Unknown paths have the form of their API, so that its clients can read the error. */
export function errorText(
  body: GatewayError["body"],
  { url, requestId }: { readonly url: string; readonly requestId: string },
): string {
  const [, write] = foreignForms.find(([start]) => url.startsWith(start)) ?? [];
  return write === undefined
    ? JSON.stringify(body, null, 2)
    : JSON.stringify(write(sentence(body.error), requestId));
}

/** These forms have no field for the parameter, so that the message must name it. */
function sentence({ message, param }: GatewayError["body"]["error"]): string {
  return param === null || message.includes(param) ? message : `${message} Parameter: '${param}'.`;
}
