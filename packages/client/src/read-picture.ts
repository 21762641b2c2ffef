import { readFault, unexpectedAnswer } from "./gateway-fault.js";
import { parseJson } from "./parse-json.js";
import { fail, type Result, succeed } from "./result.js";

/** Reads the bytes of a picture. A 200 that holds something else is a failure. */
export async function readPicture(response: Response): Promise<Result<Blob>> {
  if (!response.ok) {
    const text = await response.text();
    return fail(response, readFault(parseJson(text) ?? text, response));
  }
  if (!response.headers.get("content-type")?.startsWith("image/")) {
    await response.body?.cancel();
    return fail(response, unexpectedAnswer(response, undefined));
  }
  return succeed(response, await response.blob());
}
