import { hash } from "node:crypto";
import { isObject } from "@model-gateway/runtime/json";
import type { DetachedResponse } from "../execution/detached-request.js";
import type { BatchTokens } from "./batch.js";

/** The id of a line's request. The same in every run, so that the ledger has one row for it. */
export function requestIdOf(batchId: string, line: number): string {
  return `req_${hash("sha256", `${batchId}\n${line}`, "hex").slice(0, 32)}`;
}

/** A line of the output or error file: the response of a line that has run. */
export function resultLine(requestId: string, customId: string, { status, body }: DetachedResponse): Buffer {
  const head = `${start(requestId, customId)}"response":{"status_code":${status},"request_id":"${requestId}","body":`;
  return Buffer.concat([Buffer.from(head), onOneLine(body), Buffer.from('},"error":null}\n')]);
}

/** A line of the error file for a line that has not run. Its `custom_id` is null if it cannot be read any more. */
export function unrunLine(requestId: string, customId: string | null, error: UnrunReason): Buffer {
  return Buffer.from(`${start(requestId, customId)}"response":null,"error":${JSON.stringify(error)}}\n`);
}

/** Why a line has not run. */
export interface UnrunReason {
  readonly code: string;
  readonly message: string;
}

function start(requestId: string, customId: string | null): string {
  return `{"id":"batch_${requestId}","custom_id":${JSON.stringify(customId)},`;
}

/** Vectors are passed on as the upstream wrote them, perhaps on many lines. Inside a text, JSON has no line break. */
export function onOneLine(body: Buffer): Buffer {
  for (const lineBreak of [0x0a, 0x0d])
    for (let at = body.indexOf(lineBreak); at !== -1; at = body.indexOf(lineBreak, at)) body[at] = 0x20;
  return body;
}

const usageBytesMax = 4096;

/** The tokens that a response reports. Only its start and its end are read: the rest are vectors or images. */
export function tokensOf({ body }: Pick<DetachedResponse, "body">): BatchTokens {
  const embedding = /"usage":\{"prompt_tokens":(\d+)[^{}]*\}\}\s*$/.exec(
    body.subarray(Math.max(0, body.length - usageBytesMax)).toString("latin1"),
  );
  if (embedding !== null) return { input: Number(embedding[1]), output: 0 };
  const head = body.subarray(0, usageBytesMax).toString();
  const data = head.indexOf(',"data":[');
  const usage = data === -1 ? undefined : usageIn(`${head.slice(0, data)}}`);
  return { input: countIn(usage, "input_tokens"), output: countIn(usage, "output_tokens") };
}

function usageIn(json: string): unknown {
  try {
    const parsed: unknown = JSON.parse(json);
    return isObject(parsed) ? parsed.usage : undefined;
  } catch {
    return undefined;
  }
}

function countIn(usage: unknown, name: string): number {
  const count = isObject(usage) ? usage[name] : undefined;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : 0;
}
