import { type Html, html } from "../frame/html.js";
import type { Highlight } from "../markdown/highlight.js";
import { codeBlock } from "../markdown/render-markdown.js";
import { drawTabs } from "../pages/tabs.js";
import type { MediaType, Operation, References } from "./spec-document.js";

export interface SampleDrawing {
  readonly references: References;
  readonly highlight: Highlight;
}

/** The calls in each language, and the responses of the document. */
export function drawSamples(operation: Operation, drawing: SampleDrawing): Html {
  const samples = operation["x-codeSamples"] ?? [];
  const { references, highlight } = drawing;
  const answers = Object.entries(operation.responses)
    .filter(([status]) => /^2/.test(status))
    .flatMap(([status, response]) =>
      examplesOf(references.follow(response).content ?? {}, references, status),
    );
  const sent = operation.requestBody ? references.follow(operation.requestBody).content : {};
  const requests = samples.length > 0 ? [] : examplesOf(sent, references, "body");
  return html`${
    samples.length > 0 &&
    drawTabs({
      name: "language",
      legend: "Language",
      tabs: samples.map(({ lang, label = lang, source }) => ({
        title: label,
        body: codeBlock(breakJson(source), languageOf(label), highlight),
      })),
    })
  }${requests.map(({ source }) => codeBlock(source, "json", highlight))}${
    answers.length > 0 &&
    html`<h2 class="small">Response</h2>${drawTabs({
      name: "response",
      legend: "Response",
      tabs: answers.map(({ title, source, language }) => ({
        title,
        body: codeBlock(source, language, highlight),
      })),
    })}`
  }`;
}

const lineLettersMax = 60;

/** JSON in a long line of curl is written over several, so that a phone shows it. The shell sends the same value. */
function breakJson(source: string): string {
  return source.replace(
    /^( *)(-d '|--data '|--json ')(\{.*\})'/gm,
    (line, indent: string, option: string, json: string) => {
      if (line.length <= lineLettersMax) return line;
      const [first = "", ...rest] = compactJson(JSON.parse(json)).split("\n");
      return `${indent}${option}${[first, ...rest.map((one) => indent + one)].join("\n")}'`;
    },
  );
}

function languageOf(label: string): string {
  return label === "curl" ? "sh" : label.toLowerCase();
}

interface Example {
  readonly title: string;
  readonly source: string;
  readonly language: string;
}

function examplesOf(
  content: Readonly<Record<string, MediaType>>,
  references: References,
  name: string,
): Example[] {
  return Object.entries(content).flatMap(([type, { examples = {}, example }]) => {
    const named = Object.entries(examples).map(
      ([key, value]) => [key, references.follow(value).value] as const,
    );
    const all = example === undefined ? named : [...named, [name, example] as const];
    return all.map(([title, value]) => ({
      title: type === "application/json" ? title : `${title}, ${type.split("/")[1]}`,
      source: typeof value === "string" ? value : compactJson(value),
      language: typeof value === "string" ? "text" : "json",
    }));
  });
}

/** JSON with lists of numbers and short words on one line. */
function compactJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /\[\s+((?:[-\d.e+]+|"[^"\n]{0,12}")(?:,\s+(?:[-\d.e+]+|"[^"\n]{0,12}"))*)\s+\]/g,
    (_, items: string) => `[${items.replace(/\s+/g, " ")}]`,
  );
}
