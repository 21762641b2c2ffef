import { sendRaw } from "../../gateway/raw-request.js";

/** Writes bytes to a socket, and returns the reply as an HTTP client's response. */
export async function sendBytes(url: string, bytes: string): Promise<Response> {
  const received = await sendRaw(Number(new URL(url).port), bytes);
  if (received === undefined) throw new Error("The connection was closed without a response.");
  const { status, headers, body } = received;
  return new Response(body, { status, headers: { ...headers } });
}
