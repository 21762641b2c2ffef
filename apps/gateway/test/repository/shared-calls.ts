import {
  childrenOf,
  type Found,
  findIn,
  type Look,
  listSources,
  type SourceText,
  type SyntaxNode,
} from "./source-calls.js";

/** Classes whose objects are a bounded amount, or a line of those who wait for one. */
const pools =
  /(Pool|Semaphore|Queue|Line|Lines|Slots|Budget|Budgets|Bucket|LRUCache|Memory|Turns|Batcher|Spool|Eviction)$/;
/** Values that begin empty and grow. */
const growing = /^new (Map|Set)(<.*>)?\(\)$|^new LRUCache\b|^\[\]$/s;
const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** Every place in the sources that keeps something from one request to the next, or bounds it. */
export function findSharedThings(root: string): Found[] {
  return listSources(root).flatMap((file) => findIn(root, file, sharedAt));
}

const sharedAt: Look = (node, source) => {
  const { textOf } = source;
  if (node.type === "NewExpression" && pools.test(textOf(node.callee as SyntaxNode))) return "a pool";
  if (node.type === "CallExpression" && textOf(node.callee as SyntaxNode) === "shareLeft") return "a share";
  if (node.type === "PropertyDefinition" && node.static !== true && isGrowing(node.value, source))
    return "a collection";
  if (node.type === "BinaryExpression" && isLimit(textOf(node), String(node.operator))) return "a limit";
  return functions.has(node.type) && keepsSomething(node, source) ? "a collection" : undefined;
};

function isGrowing(value: unknown, { textOf }: SourceText): boolean {
  return value !== undefined && value !== null && growing.test(textOf(value as SyntaxNode));
}

/** `this.#uploads >= uploadsMax`: the state of an object is compared with a limit. */
function isLimit(text: string, operator: string): boolean {
  return (
    /^[<>]=?$/.test(operator) && /\bthis\./.test(text) && /Max\b|\bmax\b|AtOnce\b|\bconcurrency\b/.test(text)
  );
}

/** A function that returns functions, and a collection that these share. */
function keepsSomething(node: SyntaxNode, source: SourceText): boolean {
  const body = node.body as SyntaxNode;
  if (body.type !== "BlockStatement") return false;
  const statements = body.body as SyntaxNode[];
  const names = statements
    .filter(({ type }) => type === "VariableDeclaration")
    .flatMap(({ declarations }) => declarations as SyntaxNode[])
    .filter(({ init }) => isGrowing(init, source))
    .map(({ id }) => source.textOf(id as SyntaxNode).replace(/:.*/s, ""));
  return names.length > 0 && statements.some((one) => one.type === "ReturnStatement" && hasFunction(one));
}

/** Whether functions are returned: alone, or in an object. */
function hasFunction({ argument }: SyntaxNode): boolean {
  const returned = argument as SyntaxNode | null;
  if (returned === null) return false;
  if (functions.has(returned.type)) return true;
  if (returned.type !== "ObjectExpression") return false;
  return childrenOf(returned).some((property) =>
    functions.has((property.value as SyntaxNode | undefined)?.type ?? ""),
  );
}
