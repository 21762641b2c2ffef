import { expect, test } from "vitest";
import { parseTemplate } from "./parse-template.js";
import { TemplateRunner } from "./run-template.js";

const run = (source: string, data: unknown = {}) => {
  const { nodes, defined } = parseTemplate(source);
  return new TemplateRunner(defined).run(nodes, data);
};

/** Each result is the one of Go's text/template with Helm's functions. */
test.each([
  ["a {{- 1 -}} b", "a1b"],
  ["a {{ 1 }} b", "a 1 b"],
  ["a\n  {{- if .yes }}\n  b\n  {{- else }}\n  c\n  {{- end }}\nd", "a\n  b\nd"],
  ["{{ if .no }}a{{ else if .yes }}b{{ else }}c{{ end }}", "b"],
  ["{{ with .map }}{{ .key }}{{ end }}{{ with .empty }}x{{ else }}-{{ end }}", "value-"],
  ["{{ range .list }}[{{ . }}]{{ end }}", "[b][a]"],
  ["{{ range $k, $v := .unsorted }}{{ $k }}={{ $v }};{{ end }}", "a=1;b=2;"],
  ["{{ $x := .list }}{{ range $x }}{{ $.map.key }}{{ end }}", "valuevalue"],
  ['{{ define "t" }}<{{ . }}>{{ end }}{{ include "t" "x" | quote }}', '"<x>"'],
  ['{{ default "d" .blank }}{{ default "d" .map.key }}', "dvalue"],
  ["{{/* nothing */}}{{ and .yes .map.key }}{{ or .no 2 }}", "value2"],
  ['{{ printf "%s-%s" "a" "b" | trunc 2 | trimSuffix "-" }}', "a"],
  ["a:{{ toYaml .unsorted | nindent 2 }}", "a:\n  a: 1\n  b: 2"],
])("%j gives %j", (source, expected) => {
  const data = {
    yes: true,
    no: false,
    blank: "",
    empty: {},
    map: { key: "value" },
    list: ["b", "a"],
    unsorted: { b: 2, a: 1 },
  };

  expect(run(source, data)).toBe(expected);
});

test.each([
  ["{{ .Values.missing }}", /There is no/],
  ["{{ lookup 1 }}", /lookup is not in the subset/],
  ["{{ template `x` }}", /not in the subset/],
  ["{{ if 1 }}a", /no end/],
  ["{{ (1 }}", /not closed/],
  ["{{ 1 2 }}", /Only a function/],
  ["{{ .Values }}", /cannot be written/],
  ["a {{ b", /no end/],
])("%j is an error", (source, message) => {
  expect(() => run(source, { Values: {} })).toThrow(message);
});
