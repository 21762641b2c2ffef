/** A way in for bytes that somebody else wrote. */
export interface ForeignText {
  readonly from: "caller" | "upstream" | "token" | "bucket" | "file";
  /** Its readers, as functions (`file#function`, `file#Class.method`) or whole files. */
  readonly read: readonly string[];
  /** The bound of its time and its memory. */
  readonly bound: string;
  /** The file with its worst megabyte, and the name of the test there. */
  readonly test: readonly [file: string, name: string];
  /** The parser of `test/foreign-text` that a fuzzer gives changed texts. */
  readonly fuzz: string;
}

const requests = "apps/gateway/test/foreign-text/requests.ts";
const forms = "apps/gateway/test/foreign-text/forms.ts";
const replies = "apps/gateway/test/foreign-text/replies.ts";
const texts = "apps/gateway/test/foreign-text/texts.ts";
const largest = "apps/gateway/test/foreign-text/largest-images.ts";
const packages = "apps/gateway/test/foreign-text/packages.ts";
const images = "apps/gateway/test/foreign-text/images.ts";
const media = "apps/gateway/test/foreign-text/media.ts";

/**
 * Every function that reads foreign bytes. A new one gets a row, a test that gives it a megabyte of its worst shape, and a
 * fuzzer (`test/foreign-text`). Paths without a folder of the repository are in `apps/gateway/src`.
 */
export const foreignText: readonly ForeignText[] = [
  {
    from: "caller",
    read: [
      "execution/json/parse-json.ts",
      "execution/json/json-body-scan.ts",
      "execution/json/json-fault.ts",
      "packages/runtime/src/json-tokenizer.ts",
    ],
    bound:
      "jsonBytesMax, and the depth, keys, items and texts of the schema; scanned and parsed in time slices",
    test: [requests, "the JSON body of an embedding"],
    fuzz: "the JSON body of an embedding",
  },
  {
    from: "caller",
    read: ["http/request/compressed-body.ts"],
    bound:
      "jsonBytesMax of decompressed bytes; decompressed on another thread, no more than a chunk ahead of the reader",
    test: [requests, "a compressed JSON body"],
    fuzz: "a compressed JSON body",
  },
  {
    from: "caller",
    read: ["packages/runtime/src/base64-text.ts", "execution/json/body-data-urls.ts"],
    bound: "jsonBytesMax; checked and decoded in pieces, in time slices",
    test: [requests, "a JSON body with images"],
    fuzz: "a JSON body with images",
  },
  {
    from: "caller",
    read: ["images/fetch/read-links.ts"],
    bound: "1 MB of text that is not plain base64, by the spec; decoded in pieces, in time slices",
    test: [requests, "a data URL"],
    fuzz: "a data URL",
  },
  {
    from: "caller",
    read: ["http/request/read-form.ts#receiveForm"],
    bound: "64 fields of 256 KB, filesMax files of fileBytesMax, 20 headers a part; chunks are counted",
    test: [forms, "a form"],
    fuzz: "a form",
  },
  {
    from: "caller",
    read: ["batches/parse-json-line.ts"],
    bound: "lineBytesMax; 64 KB around the body, which is read as that of a request",
    test: [requests, "a line of a batch"],
    fuzz: "a line of a batch",
  },
  {
    from: "caller",
    read: ["batches/estimate-results.ts"],
    bound: "four samples of 16 KB of a file, each read in a separate turn",
    test: [requests, "the samples of a file"],
    fuzz: "the samples of a file",
  },
  {
    from: "caller",
    read: ["batches/read-lines.ts"],
    bound: "lineBytesMax a line",
    test: [requests, "the lines of a file"],
    fuzz: "the lines of a file",
  },
  {
    from: "caller",
    read: ["images/fetch/check-url.ts#readImageUrl"],
    bound: "16,384 characters",
    test: [requests, "a link to an image"],
    fuzz: "a link to an image",
  },
  {
    from: "caller",
    read: [
      "api/preferences.ts#readPreferences",
      "http/request/client-address.ts#createClientAddress",
      "telemetry/traces/trace-context.ts#readTraceparent",
      "execution/caller.ts#bearerOf",
      "packages/domain/src/close-names.ts#closeNames",
    ],
    bound: "16 KB, Node's limit for all headers of a request; 256 letters of a name",
    test: [texts, "the headers of a request"],
    fuzz: "the headers of a request",
  },
  {
    from: "token",
    read: ["storage/database/cursor.ts"],
    bound: "2,048 characters, by the spec",
    test: [texts, "a cursor"],
    fuzz: "a cursor",
  },
  {
    from: "caller",
    read: ["api/operations/files/retrieveFileContent.ts#writeDisposition"],
    bound: "255 bytes, checked when the file is uploaded",
    test: [texts, "the name of a file"],
    fuzz: "the name of a file",
  },
  {
    from: "caller",
    read: [
      "packages/tokens/src/character-classes.ts",
      "packages/tokens/src/split-text.ts",
      "packages/tokens/src/token-table.ts",
      "packages/tokens/src/write-utf8.ts",
    ],
    bound: "1 MB a text; counted in time slices",
    test: [
      "apps/gateway/src/embeddings/tokens.property.test.ts",
      "no text and no list of texts takes a whole event-loop turn to count",
    ],
    fuzz: "the tokens of a text",
  },
  {
    from: "caller",
    read: [
      "packages/domain/src/image-blocks.ts",
      "packages/domain/src/image-header.ts",
      "images/delivery/inspect-image.ts",
      "packages/content-credentials/src/find-manifests.ts",
      "packages/content-credentials/src/jumbf.ts",
      "packages/content-credentials/src/check-manifest.ts",
      "packages/content-credentials/src/label-image.ts",
    ],
    bound: "10,000 blocks of an image, 1,000 before its pixels; 8,000 boxes and items of its manifest",
    test: [images, "the header and the manifest of an image"],
    fuzz: "the header and the manifest of an image",
  },
  {
    from: "caller",
    read: ["embeddings/media/pdf-pages.ts"],
    bound:
      "20 MB; 200,000 objects, 32 MB of inflated ones, 5,000 nodes and 1,000 pages, 64 KB an object; in time slices",
    test: [media, "a PDF"],
    fuzz: "a PDF",
  },
  {
    from: "caller",
    read: [
      "embeddings/media/audio-seconds.ts",
      "embeddings/media/video-seconds.ts",
      "embeddings/media/measure-media.ts",
    ],
    bound:
      "20 MB; a million frames, 200,000 boxes and elements, 10,000 places that lead nowhere; in time slices",
    test: [media, "audio or a video"],
    fuzz: "audio or a video",
  },
  {
    from: "caller",
    read: ["packages/content-credentials/src/cbor.ts"],
    bound: "8,000 values and 1 MB of text, 32 levels",
    test: [images, "values of a manifest"],
    fuzz: "values of a manifest",
  },
  {
    from: "upstream",
    read: ["images/delivery/svg-scan.ts", "images/delivery/inspect-gif.ts"],
    bound: "8 MB of an SVG, a million blocks of a GIF; in time slices",
    test: [images, "an image of an upstream"],
    fuzz: "an image of an upstream",
  },
  {
    from: "upstream",
    read: ["packages/domain/src/png-opacity.ts"],
    bound: "32 MB of pixels, unpacked on another thread and compared in time slices; 10,000 blocks",
    test: [images, "the pixels of a PNG"],
    fuzz: "the pixels of a PNG",
  },
  {
    from: "upstream",
    read: [
      "packages/providers/src/http/json-request.ts#readJson",
      "packages/providers/src/http/replies/reply-size.ts",
    ],
    bound: "8 MB, 50,000 objects, lists and keys, 100 levels; counted before JSON.parse",
    test: [replies, "a reply in JSON"],
    fuzz: "a reply in JSON",
  },
  {
    from: "upstream",
    read: [
      "packages/providers/src/http/replies/value-separator.ts",
      "packages/providers/src/http/replies/image-json.ts",
    ],
    bound: "4 MB around the images, and the same counts",
    test: [replies, "a reply with images"],
    fuzz: "a reply with images",
  },
  {
    from: "upstream",
    read: [
      "packages/providers/src/http/replies/image-text.ts",
      "packages/domain/src/image-bytes.ts#ImageBytes.read",
    ],
    bound: "88 MB of base64 an image; checked in time slices",
    test: [replies, "an image as base64"],
    fuzz: "an image as base64",
  },
  {
    from: "upstream",
    read: ["packages/providers/src/http/replies/rewrite-base64.ts"],
    bound: "88 MB of base64 an image; rewritten byte by byte, in time slices",
    test: [largest, "the largest image as base64"],
    fuzz: "an image as base64",
  },
  {
    from: "upstream",
    read: ["packages/providers/src/http/replies/image-json.ts"],
    bound: "88 MB of base64 an image; each string of a list is an image",
    test: [largest, "the largest image in a list"],
    fuzz: "a reply with images",
  },
  {
    from: "upstream",
    read: ["packages/providers/src/dialects/openai/images.ts#readLink"],
    bound: "64 KB a link; a longer one is a data URL, and is read as an image",
    test: [largest, "the largest image as a data URL under a link's key"],
    fuzz: "a reply with images or links",
  },
  {
    from: "upstream",
    read: ["packages/providers/src/dialects/openai/images.ts#separateEvent"],
    bound: "88 MB of base64 an image; searched chunk by chunk, in time slices",
    test: [largest, "the largest image of an event"],
    fuzz: "a stream of image events",
  },
  {
    from: "upstream",
    read: ["packages/providers/src/dialects/openai/images.ts", "packages/client/src/server-sent-events.ts"],
    bound: "64 KB an image and 256 KB around the images; 10,000 lines an event",
    test: [replies, "a stream of image events"],
    fuzz: "a stream of image events",
  },
  {
    from: "upstream",
    read: ["packages/providers/src/http/replies/vector-rows.ts"],
    bound: "1 MB a vector, 256 bytes beside each, and the same counts",
    test: [replies, "a reply with rows of numbers"],
    fuzz: "a reply with rows of numbers",
  },
  {
    from: "upstream",
    read: ["packages/providers/src/http/replies/vectors.ts#readBase64"],
    bound: "1 MB a vector",
    test: [replies, "a vector as base64"],
    fuzz: "a vector as base64",
  },
  {
    from: "upstream",
    read: [
      "packages/providers/src/http/replies/vectors.ts#countByParsing",
      "packages/vector-check/src/index.ts",
      "packages/domain/src/vector.ts",
    ],
    bound: "1 MB a vector",
    test: [replies, "a vector as JSON"],
    fuzz: "a vector as JSON",
  },
  {
    from: "upstream",
    read: [
      "packages/providers/src/http/errors/read-error.ts#parseObject",
      "packages/providers/src/http/errors/quotable-message.ts",
      "packages/providers/src/dialects/embeddings/batch-limit.ts",
      "packages/providers/src/dialects/google/errors.ts",
    ],
    bound: "64 KB and one chunk",
    test: [replies, "an error of an upstream"],
    fuzz: "an error of an upstream",
  },
  {
    from: "bucket",
    read: [
      "packages/object-store/src/s3-client.ts#textOf",
      "packages/object-store/src/s3-client.ts#elementsOf",
      "packages/object-store/src/multipart-upload.ts#resultOf",
    ],
    bound: "4 MB, 1,000 elements of a list",
    test: [replies, "a list of a bucket"],
    fuzz: "a list of a bucket",
  },
  {
    from: "bucket",
    read: ["packages/object-store/src/s3-error.ts"],
    bound: "64 KB of an error",
    test: [replies, "an error of a bucket"],
    fuzz: "an error of a bucket",
  },
  {
    from: "upstream",
    read: [
      "packages/config/src/secrets/secret-matcher.ts#letterAt",
      "packages/config/src/secrets/secret-filter.ts#SecretFilter.hide",
    ],
    bound: "linear; errors have 64 KB at most",
    test: [texts, "a text with secrets"],
    fuzz: "a text with secrets",
  },
  {
    from: "upstream",
    read: ["packages/config/src/secrets/secret-filter.ts#SecretFilter.hideInJson"],
    bound: "lines of the log and documents that the gateway wrote; linear",
    test: [texts, "JSON with secrets"],
    fuzz: "JSON with secrets",
  },
  {
    from: "caller",
    read: ["telemetry/escape-controls.ts#escapeControls"],
    bound: "100 characters a cell of the log, 64 KB a line; linear",
    test: [texts, "a text on a terminal"],
    fuzz: "a text on a terminal",
  },
  {
    from: "file",
    read: ["usage/ledger/ledger-line.ts#parse"],
    bound: "64 KB a line",
    test: [texts, "a line of the ledger"],
    fuzz: "a line of the ledger",
  },
  {
    from: "file",
    read: ["storage/images/stored-entry.ts"],
    bound: "the images are taken out in time slices; the rest was bounded when it was written",
    test: [largest, "the largest image of a stored response"],
    fuzz: "a stored response",
  },
  {
    from: "file",
    read: ["packages/catalogue/src/open-catalogue.ts#parseCatalogue"],
    bound: "4 MB, signed; read when it changes",
    test: [texts, "a catalogue"],
    fuzz: "a catalogue",
  },
  {
    from: "caller",
    read: ["packages/sketch/src/prompt/parse-prompt.ts"],
    bound: "32,000 characters",
    test: [packages, "the prompt of a sketch"],
    fuzz: "the prompt of a sketch",
  },
  {
    from: "upstream",
    read: ["packages/client/src/decode-embedding.ts", "packages/client/src/responses/json.ts#parseJson"],
    bound: "the body that fetch has read, in the caller's own process",
    test: [packages, "an embedding for a client"],
    fuzz: "an embedding for a client",
  },
];

/** Places that the search finds, and that read nothing foreign, by the reason. A path with a slash at its end is a folder. */
export const exempt: Readonly<Record<string, readonly string[]>> = {
  "A command in a process that serves nobody.": ["apps/cli/src/", "commands/"],
  "A setting or a file of the operator, read when the process starts or the configuration changes.": [
    "packages/config/src/",
    "packages/catalogue/src/catalogue-file.ts#isOnPages",
    "packages/catalogue/src/name-pattern.ts#readNamePattern",
    "packages/catalogue/src/signature.ts#checkSignature",
    "keys/key-secrets.ts#openAdminKey",
    "packages/providers/src/azure/entra.ts#issueForMachine",
    "packages/providers/src/http/credentials/aws/profile-file.ts#parseSections",
    "packages/providers/src/http/credentials/aws/services.ts#mayHaveToken",
    "packages/providers/src/http/credentials/aws/sts.ts#signForm",
    "packages/providers/src/http/credentials/federation.ts#checkFederation",
    "packages/providers/src/http/credentials/federation.ts#isOnThisMachine",
    "packages/providers/src/http/credentials/request-token.ts#requestFromIssuer",
    "packages/providers/src/http/credentials/secrets/aws-secrets.ts#AwsSecrets.read",
    "packages/providers/src/http/credentials/secrets/vault.ts#VaultSecrets.constructor",
    "packages/providers/src/dialects/jobs/hosted-provider.ts#defineHostedProvider",
    "packages/providers/src/http/connection/origins.ts#UpstreamOrigins.constructor",
    "packages/providers/src/http/connection/tunnel.ts#readProxy",
    "packages/providers/src/http/settings.ts",
    "packages/providers/src/ollama/server.ts#readOllamaHost",
    "packages/providers/src/vertex/external-account.ts#googleUrl",
    "packages/providers/src/vertex/google-token.ts#serviceAccount",
    "packages/config/src/secrets/find-secrets.ts",
    "storage/database/open-database.ts#addressOf",
    "packages/object-store/src/s3-client.ts#S3Client.constructor",
    "telemetry/metrics/metrics-export.ts#openMetricsExport",
    "telemetry/otlp/",
    "telemetry/traces/traces.ts#openTracer",
    "packages/local-embeddings/src/model-folder.ts#readJsonObject",
    "packages/local-embeddings/src/worker/load-model.ts#loadTokeniser",
  ],
  "A part of the program, or of a package that comes with it.": [
    "packages/tokens/src/read-vocabulary.ts",
    "http/static-files.ts#sendInflated",
    "main.ts#version",
    "process/serve.ts#passedDetection",
    "packages/runtime/src/code-cache.ts#StoredCode.constructor",
    "spaces/probe-images.ts#readProbe",
    "packages/sketch/src/colour.ts#mainColour",
    "packages/sketch/src/motifs/motif-library.ts#readPart",
    "packages/sketch/src/random.ts#smallFastCounter",
  ],
  "A row, a file or a line that a gateway wrote, from values that were bounded then.": [
    "batches/image-links.ts#deliverLinks",
    "batches/known-refusals.ts#KnownRefusals.find",
    "batches/line-results.ts#usageIn",
    "packages/domain/src/vector.ts#Vector.fromBase64",
    "http/response/write-events.ts#withoutSecrets",
    "jobs/job-runner.ts#failed",
    "storage/batches/batch-rows.ts",
    "storage/history-file.ts#HistoryFile.read",
    "storage/images/database-locks.ts#readFailure",
    "storage/jobs/",
    "storage/keys/",
    "storage/ledger/ledger-store.ts",
    "packages/scheduling/src/target-signals.ts#readSignal",
    "packages/data-folder/src/run-file.ts#readRunFile",
    "storage/spaces/",
    "storage/vectors/redis-vector-cache.ts#decode",
    "telemetry/text-log.ts#describeLine",
  ],
  "The address of an upstream or a webhook from the configuration, with a path that was checked before.": [
    "app/explain-trial-failure.ts#hostOf",
    "packages/catalogue/src/catalogue.ts#Catalogue.#isAt",
    "api/operations/listUpstreams.ts#withoutSecrets",
    "packages/providers/src/bfl/images.ts#statePath",
    "packages/providers/src/dialects/jobs/result-links.ts#createResultLinks",
    "packages/providers/src/http/connection/origins.ts#UpstreamOrigins.urlOf",
    "packages/providers/src/http/connection/origins.ts#UpstreamOrigins.#other",
    "telemetry/traces/otlp-request-trace.ts#addressOf",
    "webhooks/webhook-sender.ts#hostOf",
  ],
  "At most 16 KB, Node's limit for all headers of a request.": [
    "packages/domain/src/aws-signature.ts#encodeUriPart",
    "http/request/is-from-this-machine.ts#isLoopbackUrl",
  ],
  "In the process of the client's caller, of his own image or request.": [
    "packages/client/src/form.ts#recognise",
    "packages/client/src/retry.ts#isRepeatable",
  ],
};
