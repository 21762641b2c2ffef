import type { Schemas } from "../operations.js";

type Usage = Schemas["ImageUsage"];
type Details = Schemas["ImageTokensDetails"];

/** What several calls have used together; undefined where one of them did not say. */
export function sumUsage(usages: readonly (Usage | undefined)[]): Usage | undefined {
  return usages.reduce((sum, usage) =>
    sum === undefined || usage === undefined ? undefined : add(sum, usage),
  );
}

function add(left: Usage, right: Usage): Usage {
  const output = addDetails(left.output_tokens_details, right.output_tokens_details);
  return {
    input_tokens: left.input_tokens + right.input_tokens,
    input_tokens_details:
      addDetails(left.input_tokens_details, right.input_tokens_details) ?? left.input_tokens_details,
    output_tokens: left.output_tokens + right.output_tokens,
    ...(output === undefined ? {} : { output_tokens_details: output }),
    total_tokens: left.total_tokens + right.total_tokens,
  };
}

function addDetails(left: Details | undefined, right: Details | undefined): Details | undefined {
  if (left === undefined || right === undefined) return undefined;
  return {
    text_tokens: left.text_tokens + right.text_tokens,
    image_tokens: left.image_tokens + right.image_tokens,
  };
}
