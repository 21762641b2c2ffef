import type { Handler } from "../../execution/handler.js";
import {
  changeable,
  describeKey,
  describeSecrets,
  type KeyHandlerServices,
  keyNotFound,
  refuseFileKey,
} from "../documents/AccessKey.js";

/** As the spec says. */
const overlapSecondsDefault = 86_400;

export function rotateKey(services: KeyHandlerServices): Handler<"rotateKey"> {
  const { keys, fileKeys, auditKey } = services;
  return async ({ parameters: { key: id }, body, context }) => {
    refuseFileKey(id, fileKeys);
    // Before the new secret exists: a failure after it would lose the secret.
    const before = changeable(await keys.find(id), id);
    const described = await describeKey({ source: "database", key: before }, services);
    const { overlap_seconds: overlapSeconds = overlapSecondsDefault } = body;
    const rotated = await keys.rotate(id, overlapSeconds * 1000);
    if (rotated === undefined) throw keyNotFound(id);
    const key = changeable(rotated.key, id);
    auditKey({ operation: "rotateKey", keyId: id, context });
    return { body: { ...described, ...describeSecrets(key, services.now()), value: rotated.text } };
  };
}
