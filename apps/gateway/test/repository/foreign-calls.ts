import {
  type Found,
  findIn,
  type Look,
  listSources,
  type SourceText,
  type SyntaxNode,
} from "./source-calls.js";

/** Calls that turn bytes or text into values, by what they read. Each is a parser, or the door to one. */
const parsers: Readonly<Record<string, RegExp>> = {
  JSON: /^JSON\.parse$|^JsonTokenizer$/,
  YAML: /^(parse|parseDocument|parseAllDocuments|Lexer|Parser|Composer)$/,
  base64: /^atob$/,
  text: /^(TextDecoder|StringDecoder|createInterface)$/,
  "compressed bytes":
    /(inflate|gunzip|unzip|[dD]ecompress)(Raw)?(Sync)?$|^create(Inflate|Gunzip|Unzip|BrotliDecompress)/,
  "binary numbers": /\.(read(Big)?U?Int|read(Float|Double)|get(Big)?(Ui|I)nt\d|getFloat)\w*$/,
  URL: /^URL(\.(canParse|parse))?$|^decodeURI(Component)?$/,
  forms: /^(multer|busboy)$/,
  characters: /\.(charCodeAt|codePointAt)$/,
  "a pattern made at run time": /^RegExp$/,
  "every match of a pattern": /\.matchAll$/,
};
/** The same encodings serve to write, so the name of the call alone says nothing. */
const encodings = /^"(base64|base64url|hex)"$/;
const lineEnds = /^("\\r?\\n"|\/\\r\?\\n\/)$/;

/** Every place in the sources that parses something. */
export function findForeignText(root: string): Found[] {
  return listSources(root).flatMap((file) => findIn(root, file, parserAt));
}

const parserAt: Look = (node, { text, textOf }) => {
  if (isByte(node, textOf)) return "bytes";
  if (node.type === "Literal" && /\/[a-z]*y[a-z]*$/.test(textOf(node)) && "regex" in node)
    return "a pattern at a place";
  if (node.type !== "CallExpression" && node.type !== "NewExpression") return undefined;
  const callee = textOf(node.callee as SyntaxNode);
  const [first = "", second = ""] = (node.arguments as SyntaxNode[]).map(textOf);
  if (callee.endsWith(".split")) return lineEnds.test(first) ? "lines" : undefined;
  if (callee === "Buffer.from") return encodings.test(second) ? "base64" : undefined;
  // A URL that is written in the code.
  if (callee === "URL" && first.startsWith('"')) return undefined;
  const kind = Object.entries(parsers).find(([, pattern]) => pattern.test(callee))?.[0];
  return kind === "YAML" && !text.includes('from "yaml"') ? undefined : kind;
};

/** `byte === 0x0a` or `const lineFeed = 0x0a`: what looks at single bytes reads a format. */
function isByte(node: SyntaxNode, textOf: SourceText["textOf"]): boolean {
  const isCompared = node.type === "BinaryExpression" && /^[!=]==$/.test(String(node.operator));
  const value = isCompared ? node.right : node.type === "VariableDeclarator" ? node.init : undefined;
  return value !== undefined && value !== null && /^0x[\da-f]{1,2}$/.test(textOf(value as SyntaxNode));
}
