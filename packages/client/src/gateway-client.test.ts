import { join } from "node:path";
import ts from "typescript-5.4";
import { expect, test } from "vitest";

const file = join(import.meta.dirname, "gateway-client.ts");

test("editors show the description of a method, the names of its arguments and that it is outdated", () => {
  const shown = describeMembers("GatewayClient");

  expect(shown.changeKey).toEqual({
    documentation: expect.stringMatching(/^Changes the properties in the body(.|\n)* Needs `adminKey`\.$/),
    tags: [],
    parameters: ["key", "body", "options"],
  });
  expect(shown.iterateOwnRequests).toMatchObject({
    documentation: expect.stringContaining("the entries of all pages"),
    parameters: ["query", "options"],
  });
  expect(shown.retrieveOwnRequest).toMatchObject({ parameters: ["requestId", "options"] });
  expect(shown.retrieveImageFile).toMatchObject({
    documentation: expect.stringContaining("needs no key"),
    parameters: ["link", "options"],
  });
  expect(shown.createEmbeddingLegacy).toMatchObject({ tags: ["deprecated"] });
});

const kind = ts.SyntaxKind.MethodSignature;

/** The members of a type as an editor shows them. */
function describeMembers(name: string) {
  const options = { strict: true, module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 };
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const symbol = source && checker.getSymbolAtLocation(source);
  const exported = symbol && checker.getExportsOfModule(symbol).find((found) => found.name === name);
  if (source === undefined || exported === undefined) throw new Error(`There is no type ${name}.`);
  const members = checker.getDeclaredTypeOfSymbol(exported).getProperties();
  return Object.fromEntries(
    members.map((member) => {
      const [signature] = checker.getTypeOfSymbolAtLocation(member, source).getCallSignatures();
      const shown =
        signature && checker.signatureToSignatureDeclaration(signature, kind, undefined, undefined);
      return [
        member.name,
        {
          documentation: ts.displayPartsToString(member.getDocumentationComment(checker)),
          tags: member.getJsDocTags(checker).map((tag) => tag.name),
          parameters: shown?.parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : undefined)),
        },
      ];
    }),
  );
}
