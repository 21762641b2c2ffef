import { GatewayError } from "@model-gateway/domain/errors";
import type { Operation } from "../execution/validation/spec.js";

/** Creates the error for a path that does not exist. */
type UnknownUrl = (method: string, path: string) => GatewayError;

/** A caller chooses its path, and an error must stay short. */
const pathLengthMax = 200;

/** A 404 with suggestions: the path that was meant, or the operations that a client of this kind can call. */
export function createUnknownUrl(operations: readonly Operation[]): UnknownUrl {
  const callable = operations.filter(({ access }) => access === "key");
  return (method, path) => {
    const meant = findMeant(path, callable);
    const hint =
      meant === undefined
        ? `This gateway creates embeddings and images. It has: ${listOf(path, callable)}.`
        : `Did you mean ${describe(meant)}?`;
    return new GatewayError(
      "unknown_url",
      `Invalid URL (${method} ${path.slice(0, pathLengthMax)}). ${hint}`,
    );
  };
}

/** A client whose base URL lacks `/v1` leaves it out of every path; one whose base URL has it twice repeats it. */
function findMeant(path: string, operations: readonly Operation[]): Operation | undefined {
  const given = path.toLowerCase();
  if (given.length < 2) return undefined;
  return operations.find((operation) => operation.path.endsWith(given) || given.endsWith(operation.path));
}

/** The operations of the API whose paths the client uses. */
function listOf(path: string, operations: readonly Operation[]): string {
  const root = rootOf(path);
  return operations
    .filter((operation) => rootOf(operation.path) === root)
    .map(describe)
    .join(", ");
}

function rootOf(path: string): string {
  return ["/api/", "/openai/", "/v1/async/", "/v2/"].find((root) => path.startsWith(root)) ?? "/v1/";
}

function describe({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")}`;
}
