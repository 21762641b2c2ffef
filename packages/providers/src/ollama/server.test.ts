import { expect, test } from "vitest";
import { readOllamaHost } from "./server.js";

test.each([
  ["127.0.0.1", "http://127.0.0.1:11434"],
  ["127.0.0.1:9999", "http://127.0.0.1:9999"],
  [" gpu-box ", "http://gpu-box:11434"],
  [":9999", "http://127.0.0.1:9999"],
  ["gpu-box:80", "http://gpu-box"],
  ["[::1]:9999", "http://[::1]:9999"],
  ["http://gpu-box", "http://gpu-box"],
  ["https://gpu-box:8443/", "https://gpu-box:8443"],
])("OLLAMA_HOST=%s is %s", (value, address) => {
  expect(readOllamaHost(value)).toBe(address);
});

test.each(["two words", "http://", "http://user:secret@gpu-box", "http://gpu-box/path", "ftp://gpu-box"])(
  "OLLAMA_HOST=%s is refused",
  (value) => {
    expect(readOllamaHost(value)).toBeUndefined();
  },
);
