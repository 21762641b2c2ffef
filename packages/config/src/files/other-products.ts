import { quoted, typedCommand } from "@model-gateway/domain/typed-command";
import { isObject, listAt, objectAt } from "@model-gateway/runtime/json";
import type { Fault } from "./read-yaml.js";

/** A product whose configuration the gateway imports. */
interface OtherProduct {
  readonly title: string;
  /** The command that imports its file. */
  readonly command: string;
  /** The key that only its file has, in the form that it has there. */
  readonly key: string;
  readonly isOwn: (file: unknown) => boolean;
}

const products: readonly OtherProduct[] = [
  {
    title: "a LiteLLM proxy",
    command: "import litellm",
    key: "model_list",
    isOwn: (file) =>
      listAt(file, "model_list").some((entry) => isObject(entry) && isObject(entry.litellm_params)),
  },
  {
    title: "Bifrost",
    command: "import bifrost",
    key: "providers",
    isOwn: (file) =>
      Object.values(objectAt(file, "providers")).some((one) => isObject(one) && Array.isArray(one.keys)),
  },
];

/** Finds another product's file. Its only fault is then that, with the command that helps. */
export function checkProduct(file: unknown, name: string): Fault[] {
  const isGateway = isObject(file) && (file.upstreams !== undefined || file.models !== undefined);
  const product = isGateway ? undefined : products.find(({ isOwn }) => isOwn(file));
  if (product === undefined) return [];
  const { title, command, key } = product;
  const out = name === "gateway.yaml" ? "imported.yaml" : "gateway.yaml";
  const message = `this is the configuration of ${title}; write one for the gateway: ${typedCommand(`${command} ${quoted(name)} --out ${out}`)}`;
  return [{ path: [key], message }];
}
