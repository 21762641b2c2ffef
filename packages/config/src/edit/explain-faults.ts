import { GatewayError } from "@model-gateway/domain/errors";
import { ConfigError, type FaultDetail } from "../config-error.js";
import { describePath } from "../load-config.js";

/** The parameter of the request that a path of the file stands for. Empty for none. */
type NameParam = (path: FaultDetail["path"]) => string;

/** Does the work. The faults of a configuration become one error of the request that asked for it. */
export function explained<T>(work: () => T, nameParam: NameParam = describePath): T {
  try {
    return work();
  } catch (failure) {
    throw failure instanceof ConfigError ? explainFaults(failure, nameParam) : failure;
  }
}

/** More faults than these are only counted. */
const faultsMax = 20;

/** All faults are in the message. Its parameter is the first that has one. */
function explainFaults({ details, faults }: ConfigError, nameParam: NameParam): GatewayError {
  const named = details.map(({ path, message }) => ({ param: nameParam(path), message }));
  const param = named.find((fault) => fault.param !== "")?.param;
  const sentences = named.map((fault) =>
    fault.param === ""
      ? `Invalid configuration: ${fault.message}.`
      : `Invalid '${fault.param}': ${fault.message}.`,
  );
  if (sentences.length === 0) sentences.push(`Invalid configuration: ${faults.join(";").trim()}.`);
  const more = sentences.length - faultsMax;
  const rest = more > 0 ? [`There are ${more} more faults.`] : [];
  return new GatewayError("invalid_value", [...sentences.slice(0, faultsMax), ...rest].join(" "), { param });
}
