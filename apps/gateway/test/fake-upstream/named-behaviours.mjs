/** @import { Behaviour } from "./script.js" */
import { lies } from "./lies.mjs";

/**
 * The behaviours that a model asks for by its name, so that a configuration can say what its models do: the name of a
 * lie, `status-503` or any other status, and those below.
 * @param {string} model
 * @returns {Behaviour | undefined}
 */
export function behaviourNamed(model) {
  const known = named.get(model);
  if (known !== undefined) return known;
  const status = model.startsWith("status-") ? Number(model.slice(7)) : 0;
  return status > 0 ? { faults: [{ kind: "answer", status, headers: { "retry-after": "7" } }] } : undefined;
}

const moderation = {
  message: "Rejected by the safety system.",
  type: "image_generation_user_error",
  param: null,
  code: "moderation_blocked",
};

/** @type {readonly (readonly [string, Behaviour])[]} */
const byName = [
  ["stall", { faults: [{ kind: "stall" }] }],
  ["stall-after-headers", { faults: [{ kind: "stall", afterBytes: 0 }] }],
  ["stall-before-end", { faults: [{ kind: "stall", afterBytes: -1 }] }],
  ["cut", { faults: [{ kind: "cut", afterBytes: 25 }] }],
  ["garbage", { faults: [{ kind: "garbage" }] }],
  ["moderated", { faults: [{ kind: "answer", status: 400, body: { error: moderation } }] }],
];

const named = new Map(byName);
for (const lie of Object.keys(lies)) named.set(lie, { faults: [{ kind: "lie", lie }] });
