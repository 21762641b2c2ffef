import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { vectorOf } from "../fake-upstream/vectors.mjs";
import { suiteGateway } from "../gateway/suite.js";
import { testKey } from "../gateway/test-gateway.js";
import { signsOf } from "../in-process/providers/unit-vectors.js";
import { python, whyPythonCannotRun } from "./python.js";

const run = promisify(execFile);
const context = suiteGateway(
  ({ baseUrl }) => `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models: { m: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: m }] } }
`,
);

/** Without a format, the SDK requests base64 and decodes it. */
const program = `
import json
from openai import OpenAI

client = OpenAI()

def embed(**options):
    return client.embeddings.create(model="m", input=["a", "b"], **options)

def vectors(**options):
    return [item.embedding for item in embed(**options).data]

print(json.dumps([
    vectors(),
    vectors(extra_body={"output_dtype": "binary"}),
    vectors(extra_body={"output_dtype": "ubinary"}),
    vectors(extra_body={"output_dtype": "binary"}, encoding_format="float"),
    vectors(encoding_format="binary"),
]))
`;

test("openai-python gets bits as integers, whether or not it asks for base64 by itself", async (test) => {
  const cannotRun = whyPythonCannotRun(program);
  test.skip(cannotRun !== undefined, cannotRun);
  const env = { ...process.env, OPENAI_BASE_URL: `${context.gateway.url}/v1`, OPENAI_API_KEY: testKey };

  const { stdout } = await run(python ?? "", ["-c", program], { env });

  const floats = ["a", "b"].map((text) => vectorOf(text, 8));
  const ubinary = floats.map(signsOf);
  const binary = ubinary.map((bytes) => bytes.map((byte) => byte - 128));
  expect(JSON.parse(stdout)).toEqual([floats, binary, ubinary, binary, binary]);
});
