import { expect, test } from "vitest";
import { adminOperation, curlSample, pythonSample } from "./samples.js";

const security = [{ adminKey: [] }];
const document = {
  paths: {
    "/admin/v1/notes": {
      get: { security },
      post: {
        security,
        requestBody: {
          content: { "application/json": { examples: { one: { $ref: "#/components/examples/Note" } } } },
        },
      },
    },
    "/admin/v1/notes/{note_id}/pages/{page}": { delete: { security } },
    "/admin/v1/sessions/current": { get: { security: [{ session: [] }] } },
    "/v1/models": { get: { security: [{ bearer: [] }] } },
  },
  components: {
    examples: { Note: { value: { text: "it's", pinned: true, until: null, tags: ["a", 1] } } },
  },
};

const samplesOf = (method: string, path: string) => {
  const operation = adminOperation(document, method, path);
  return operation && { curl: curlSample(operation), python: pythonSample(operation) };
};

test("an operation without a body is a plain call", () => {
  expect(samplesOf("get", "/admin/v1/notes")).toEqual({
    curl: 'curl http://127.0.0.1:8080/admin/v1/notes -H "Authorization: Bearer $GATEWAY_ADMIN_KEY"\n',
    python: expect.stringContaining(`request = Request(
    "http://127.0.0.1:8080/admin/v1/notes",
    headers={"Authorization": f"Bearer {os.environ['GATEWAY_ADMIN_KEY']}"},
)
`),
  });
});

test("parameters of the path are variables, and a method is named that does not follow from the body", () => {
  const samples = samplesOf("delete", "/admin/v1/notes/{note_id}/pages/{page}");

  expect(samples?.curl).toContain(
    '-X DELETE "http://127.0.0.1:8080/admin/v1/notes/$NOTE_ID/pages/$PAGE_ID" ',
  );
  expect(samples?.python).toContain(
    `f"http://127.0.0.1:8080/admin/v1/notes/{os.environ['NOTE_ID']}/pages/{os.environ['PAGE_ID']}",\n    method="DELETE",`,
  );
});

test("a body is its first example, in the words of the language", () => {
  const samples = samplesOf("post", "/admin/v1/notes");

  expect(samples?.curl).toContain(
    `-d '{"text": "it'\\''s", "pinned": true, "until": null, "tags": ["a", 1]}'`,
  );
  expect(samples?.python).toContain(
    `data=json.dumps({"text": "it's", "pinned": True, "until": None, "tags": ["a", 1]}).encode(),\n    headers={`,
  );
});

test("an operation that the admin key does not open has its samples in files", () => {
  expect(samplesOf("get", "/v1/models")).toBeUndefined();
  expect(samplesOf("get", "/admin/v1/sessions/current")).toBeUndefined();
});
