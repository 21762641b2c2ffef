import { createVerify, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { keyOf } from "../contents.js";
import { countTokens, mixedContent, partsOf } from "../gemini/fake-gemini.js";
import {
  countGoogleTokens,
  generateContentRoute,
  googleError,
  pretty,
  refuseField,
} from "../gemini/fake-generate-content.js";
import { type FakeReply, type StrictServer, startStrictServer, strictRoute } from "../strict-server.js";
import { type Issue, startTokenIssuer, type TokenIssuer } from "../token-issuer.js";
import { unitVector } from "../unit-vectors.js";

const email = "gateway@a-project.iam.gserviceaccount.com";
const { publicKey, privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

export interface FakeVertex extends StrictServer {
  readonly issuer: TokenIssuer;
  /** A key file of the service account, and one that is not known there. */
  readonly keyFile: string;
  readonly wrongKeyFile: string;
}

const taskType = z.enum(["RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT", "SEMANTIC_SIMILARITY"]).optional();
const widths: Readonly<Record<string, number>> = {
  "text-embedding-005": 768,
  "gemini-embedding-001": 3072,
  "gemini-embedding-2": 3072,
};

/** A project with a service account. */
export async function startFakeVertex(): Promise<FakeVertex> {
  let tokenUrl = "";
  const issuer = await startTokenIssuer((request) => issue(request, tokenUrl));
  tokenUrl = `${issuer.origin}/token`;
  const draw = await generateContentRoute();
  const server = await startStrictServer({
    authenticate: ({ headers }) =>
      issuer.isValid(headers.authorization)
        ? undefined
        : googleError(401, {
            word: "UNAUTHENTICATED",
            message: "Request had invalid authentication credentials.",
            details: [{ reason: "ACCESS_TOKEN_EXPIRED" }],
          }),
    refuse: refuseField,
    routes: {
      [routeOf("text-embedding-005:predict")]: predictRoute("text-embedding-005", 250),
      [routeOf("gemini-embedding-001:predict")]: predictRoute("gemini-embedding-001", 1),
      [routeOf("gemini-embedding-2:embedContent")]: embedContentRoute,
      [routeOf("gemini-3-pro-image:generateContent")]: draw,
    },
  });
  const folder = mkdtempSync(join(tmpdir(), "fake-vertex-"));
  const keyFile = (name: string, client_email: string) => {
    const path = join(folder, name);
    const account = { type: "service_account", client_email, private_key: privateKey, token_uri: tokenUrl };
    writeFileSync(path, JSON.stringify(account));
    return path;
  };
  return {
    ...server,
    issuer,
    keyFile: keyFile("key.json", email),
    wrongKeyFile: keyFile("wrong.json", "another@a-project.iam.gserviceaccount.com"),
    close: () => {
      issuer.close();
      server.close();
    },
  };
}

function routeOf(modelAndVerb: string): string {
  return `POST /v1/projects/a-project/locations/europe-west4/publishers/google/models/${modelAndVerb}`;
}

/** Verifies the signature for real. The machine's own token comes from the metadata server. */
function issue({ method, path, headers, text }: Parameters<Issue>[0], tokenUrl: string): object | undefined {
  if (method === "GET") {
    const isRight = path === "/computeMetadata/v1/instance/service-accounts/default/token";
    return isRight && headers["metadata-flavor"] === "Google" ? { expires_in: 3599 } : undefined;
  }
  const form = new URLSearchParams(text);
  const [head = "", claims = "", signature = "", ...rest] = (form.get("assertion") ?? "").split(".");
  const isSigned = createVerify("RSA-SHA256")
    .update(`${head}.${claims}`)
    .verify(publicKey, signature, "base64url");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  const { iss, scope, aud, iat, exp, ...others } = read(claims);
  const now = Date.now() / 1000;
  const isRight =
    rest.length === 0 &&
    isSigned &&
    JSON.stringify(read(head)) === '{"alg":"RS256","typ":"JWT"}' &&
    form.get("grant_type") === "urn:ietf:params:oauth:grant-type:jwt-bearer" &&
    iss === email &&
    scope === "https://www.googleapis.com/auth/cloud-platform" &&
    aud === tokenUrl &&
    Math.abs(now - iat) < 300 &&
    exp > now &&
    exp - iat <= 3600 &&
    Object.keys(others).length === 0;
  return isRight ? { expires_in: 3599 } : undefined;
}

/** Without `autoTruncate: false` a text is cut, which only the statistics say. */
function predictRoute(model: string, instancesMax: number) {
  const native = widths[model] ?? 0;
  const body = z.strictObject({
    instances: z
      .array(
        z.strictObject({ content: z.string().min(1), task_type: taskType, title: z.string().optional() }),
      )
      .min(1),
    parameters: z.strictObject({
      outputDimensionality: z.int().positive().max(native).optional(),
      autoTruncate: z.boolean().default(true),
    }),
  });
  return strictRoute({
    body,
    reply: ({ instances, parameters }) => {
      if (instances.length > instancesMax)
        return invalid(`${instancesMax} instance(s) is allowed per prediction. Actual: ${instances.length}`);
      const { outputDimensionality: width = native, autoTruncate } = parameters;
      const counts = instances.map(({ content }) => countGoogleTokens(content));
      if (!autoTruncate && Math.max(...counts) > 2048) return tooLong(Math.max(...counts), 2048);
      if (counts.reduce((sum, count) => sum + count, 0) > 20_000)
        return invalid("The request has more than 20000 tokens per request.");
      return pretty({
        predictions: instances.map(({ content, task_type = "" }, index) => ({
          embeddings: {
            statistics: { truncated: (counts[index] ?? 0) > 2048, token_count: counts[index] },
            values: valuesOf(task_type + content, width, native),
          },
        })),
        metadata: { billableCharacterCount: 1 },
      });
    },
  });
}

const embedContentRoute = strictRoute({
  body: z.strictObject({
    content: mixedContent,
    embedContentConfig: z.strictObject({
      taskType,
      outputDimensionality: z.int().min(128).max(3072).optional(),
      autoTruncate: z.boolean().default(true),
    }),
  }),
  reply: ({ content, embedContentConfig }) => {
    const { outputDimensionality: width = 3072, autoTruncate, taskType: word = "" } = embedContentConfig;
    const parts = partsOf(content);
    const { all: tokens, images } = countTokens(parts);
    if (!autoTruncate && tokens > 8192) return tooLong(tokens, 8192);
    return pretty({
      embedding: { values: valuesOf(word + keyOf(parts), width, 3072) },
      usageMetadata: {
        promptTokenCount: tokens,
        totalTokenCount: tokens,
        promptTokensDetails: [
          { modality: "TEXT", tokenCount: tokens - images },
          ...(images > 0 ? [{ modality: "IMAGE", tokenCount: images }] : []),
        ],
      },
      truncated: tokens > 8192,
    });
  },
});

/** Only full-width vectors have a length of 1. */
function valuesOf(text: string, width: number, native: number): number[] {
  const vector = unitVector(text, { width, native });
  return width === native ? vector : vector.map((value) => value * 0.7);
}

function tooLong(count: number, max: number): FakeReply {
  return invalid(
    `Unable to submit request because the input token count is ${count} but the model supports up to ${max}. Reduce the input token count and try again.`,
  );
}

function invalid(message: string): FakeReply {
  return googleError(400, { word: "INVALID_ARGUMENT", message });
}
