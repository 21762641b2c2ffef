import { createHighlighter, type HighlighterGeneric, type ThemeRegistrationRaw } from "shiki";
import { escapeHtml, type Html, trustedHtml } from "../frame/html.js";

/** Draws source code as tokens with a class each: the policy of the pages allows no style attribute. */
export type Highlight = (source: string, language: string) => Html;

const languages = [
  "shellscript",
  "javascript",
  "typescript",
  "python",
  "json",
  "yaml",
  "toml",
  "ini",
  "http",
];
const aliases: Readonly<Record<string, string>> = {
  sh: "shellscript",
  bash: "shellscript",
  shell: "shellscript",
  curl: "shellscript",
  js: "javascript",
  mjs: "javascript",
  ts: "typescript",
  py: "python",
  yml: "yaml",
  promql: "text",
};

/** Each class of token has a colour that only serves as its name. site.css has the real colours of both themes. */
const classes: Readonly<Record<string, { readonly color: string; readonly scopes: readonly string[] }>> = {
  "t-comment": { color: "#000001", scopes: ["comment", "punctuation.definition.comment"] },
  "t-string": { color: "#000002", scopes: ["string", "punctuation.definition.string", "markup.inline"] },
  "t-number": { color: "#000003", scopes: ["constant.numeric", "constant.language", "constant.other"] },
  "t-keyword": { color: "#000004", scopes: ["keyword", "storage", "keyword.control"] },
  "t-name": {
    color: "#000005",
    scopes: ["entity.name", "support.function", "support.class", "variable.function"],
  },
  "t-key": {
    color: "#000006",
    scopes: ["support.type.property-name", "entity.name.tag.yaml", "variable.other.normal.shell"],
  },
};
const plain = "#000000";

const theme: ThemeRegistrationRaw = {
  name: "classes",
  type: "light",
  fg: plain,
  bg: "#ffffff",
  settings: [
    { settings: { foreground: plain } },
    ...Object.values(classes).map(({ color, scopes }) => ({
      scope: [...scopes],
      settings: { foreground: color },
    })),
    // Operators read better as text.
    { scope: ["keyword.operator"], settings: { foreground: plain } },
  ],
};

const classOf = new Map(Object.entries(classes).map(([name, { color }]) => [color, name]));

export async function openHighlight(): Promise<Highlight> {
  const highlighter = await createHighlighter({ themes: [theme], langs: languages });
  return (source, language) => trustedHtml(drawLines(source.replace(/\n+$/, ""), language, highlighter));
}

function drawLines(source: string, language: string, highlighter: HighlighterGeneric<never, never>): string {
  const lang = aliases[language] ?? language;
  if (!languages.includes(lang)) return escapeHtml(source);
  const lines = highlighter.codeToTokensBase(source, { lang: lang as never, theme: theme.name as never });
  return lines
    .map((tokens) => tokens.map(({ content, color }) => drawToken(content, color)).join(""))
    .join("\n");
}

function drawToken(content: string, color: string | undefined): string {
  const name = classOf.get(color?.toLowerCase() ?? "");
  const text = escapeHtml(content);
  return name === undefined ? text : `<i class="${name}">${text}</i>`;
}
