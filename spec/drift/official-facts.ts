import { createRequire } from "node:module";
import ts from "typescript";
import type { Facts, Kind } from "./facts.js";

/** Reads the types of the `openai` package in the lockfile: `images ImagesResponse` is a type of its images resource. */
export class OfficialTypes {
  readonly #program: ts.Program;

  constructor(resources: readonly string[]) {
    this.#program = ts.createProgram(resources.map(declarationsOf), {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      skipLibCheck: true,
      types: [],
    });
  }

  facts(resource: string, name: string): Facts {
    const checker = this.#program.getTypeChecker();
    const file = this.#program.getSourceFile(declarationsOf(resource));
    const module = file && checker.getSymbolAtLocation(file);
    const found = module && checker.getExportsOfModule(module).find((one) => one.getName() === name);
    if (found === undefined) throw new Error(`The package has no type ${name} in ${resource}.`);
    return typeFacts(checker.getDeclaredTypeOfSymbol(found), checker);
  }
}

function declarationsOf(resource: string): string {
  const script = createRequire(import.meta.url).resolve(`openai/resources/${resource}`);
  return script.replace(/\.m?js$/, ".d.ts");
}

function typeFacts(root: ts.Type, checker: ts.TypeChecker): Facts {
  const facts = new Set<string>();
  const visit = (type: ts.Type, path: string): void => {
    const branches = type.isUnion() ? type.types : [type];
    for (const branch of branches) {
      if (checker.isArrayType(branch)) {
        const [item] = checker.getTypeArguments(branch as ts.TypeReference);
        facts.add(`${path}items`);
        if (item !== undefined) visit(item, `${path}items/`);
      } else if (isDeclaredByResource(branch)) {
        for (const property of checker.getPropertiesOfType(branch)) {
          facts.add(path + property.getName());
          if ((property.flags & ts.SymbolFlags.Optional) === 0)
            facts.add(`${path}${property.getName()}/required`);
          visit(checker.getTypeOfSymbol(property), `${path}${property.getName()}/`);
        }
      }
    }
    for (const branch of branches) {
      const kind = kindOf(branch, checker);
      if (kind !== undefined) facts.add(`${path}is/${kind}`);
    }
    if (branches.some(({ flags }) => (flags & ts.TypeFlags.Null) !== 0)) facts.add(`${path}null`);
    for (const value of closedValues(branches)) facts.add(`${path}values`).add(`${path}values/${value}`);
  };
  visit(root, "");
  return facts;
}

/** Undefined for null and for a value that is left out. */
function kindOf(type: ts.Type, checker: ts.TypeChecker): Kind | undefined {
  const { flags } = type;
  if ((flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0) return undefined;
  // A text that completes to known values is written as `string & {}`.
  const parts = type.isIntersection() ? type.types : [type];
  if (parts.some((part) => (part.flags & ts.TypeFlags.StringLike) !== 0)) return "string";
  if ((flags & ts.TypeFlags.NumberLike) !== 0) return "number";
  if ((flags & ts.TypeFlags.BooleanLike) !== 0) return "boolean";
  if (checker.isArrayType(type)) return "list";
  return isDeclaredByResource(type) ? "object" : "file";
}

/** The other types belong to files and the language. */
function isDeclaredByResource(type: ts.Type): boolean {
  const [declaration] = type.getSymbol()?.getDeclarations() ?? [];
  return declaration !== undefined && /\/openai\/resources\//.test(declaration.getSourceFile().fileName);
}

/** The allowed texts; empty if any text is, which the package also writes as `string & {}`. */
function closedValues(branches: readonly ts.Type[]): string[] {
  const isOpen = branches.some((type) => (type.flags & ts.TypeFlags.String) !== 0 || type.isIntersection());
  return isOpen ? [] : branches.flatMap((type) => (type.isStringLiteral() ? [type.value] : []));
}
