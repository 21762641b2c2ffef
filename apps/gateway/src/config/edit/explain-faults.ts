import { GatewayError } from "../../errors.js";
import { ConfigError, describePath, type FaultDetail } from "../load-config.js";

/** The parameter of the request that a path of the file stands for. Empty for none. */
export type NameParam = (path: FaultDetail["path"]) => string;

/** Does the work. The faults of a configuration become one error of the request that asked for it. */
export function explained<T>(work: () => T, nameParam: NameParam = describePath): T {
  try {
    return work();
  } catch (failure) {
    throw failure instanceof ConfigError ? explainFaults(failure, nameParam) : failure;
  }
}

/** All faults are in the message. Its parameter is the first that has one. */
function explainFaults({ details, faults }: ConfigError, nameParam: NameParam): GatewayError {
  const named = details.map(({ path, message }) => ({ param: nameParam(path), message }));
  const param = named.find((fault) => fault.param !== "")?.param;
  const sentences = named.map((fault) =>
    fault.param === ""
      ? `Invalid configuration: ${fault.message}.`
      : `Invalid '${fault.param}': ${fault.message}.`,
  );
  const message =
    sentences.length === 0 ? `Invalid configuration: ${faults.join(";").trim()}.` : sentences.join(" ");
  return new GatewayError("invalid_value", message, { param });
}
