import { GatewayError } from "@model-gateway/domain/errors";

/** The caller's name for a parameter. The core has the names of OpenAI's API. */
export type NameParameter = (param: string) => string;

/** For the `catch` of a request in another API's form: its errors name the parameters as the caller wrote them. */
export function namingParameters(nameOf: NameParameter): (failure: unknown) => never {
  return (failure) => {
    if (!(failure instanceof GatewayError) || failure.param === null) throw failure;
    throw failure.with({ param: nameOf(failure.param) });
  };
}

/** Replaces the first name of a path: `input[3].content` becomes `inputs[3].content`. */
export function renamingRoot(names: Readonly<Record<string, string>>): NameParameter {
  const known = new Map(Object.entries(names));
  return (param) => param.replace(/^\w+/, (root) => known.get(root) ?? root);
}
