import { expect, test } from "vitest";
import { redactText } from "./redact-text.js";

test("secrets in plain text are replaced, short ones too, and no other letter changes", () => {
  const text = `# A comment.
adminKey:   "abc"   # beside
keys: [{ name: a, key: k1 }, {name: b, sha256: '00'}]
upstreams:
  my-token:
    provider: openai
    apiKey: x
    headers: { authorization: Bearer b, user-agent: me }
    proxy: http://u:p@proxy:1
  other: { provider: openai, apiKey: "\${NAME}" }
tls:
  cert: ./cert.pem
  key: |
    -----BEGIN PRIVATE KEY-----
    MIIE
    -----END PRIVATE KEY-----
models: {}
`;

  expect(redactText(text)).toBe(`# A comment.
adminKey:   (set)   # beside
keys: [{ name: a, key: (set) }, {name: b, sha256: (set)}]
upstreams:
  my-token:
    provider: openai
    apiKey: (set)
    headers: { authorization: (set), user-agent: me }
    proxy: http://(set)@proxy:1/
  other: { provider: openai, apiKey: "\${NAME}" }
tls:
  cert: ./cert.pem
  key: (set)
models: {}
`);
});
