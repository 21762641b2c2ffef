import { expect, test } from "vitest";
import { answer, serve } from "../test/serve.js";
import { createClient } from "./create-client.js";

const link = "/v1/images/files/a.png?expires=1&signature=x";

test("a link that has expired is a value with its status and code", async () => {
  const error = {
    message: "The link has expired.",
    type: "invalid_request_error",
    param: null,
    code: "link_expired",
  };
  const baseUrl = await serve((_, response) => answer(response, 410, { error }));

  const result = await createClient({ baseUrl }).retrieveImageFile(link);

  expect(result).toMatchObject({ ok: false, status: 410, requestId: "req_1", error });
});

test("an error page of a proxy is a value too", async () => {
  const baseUrl = await serve((_, response) => {
    response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>");
  });

  const result = await createClient({ baseUrl }).retrieveImageFile(link);

  expect(result).toMatchObject({
    ok: false,
    status: 502,
    error: {
      message: "Unexpected answer: 502 Bad Gateway, text/html: <h1>Bad Gateway</h1>",
      code: "unexpected_answer",
    },
  });
});

test("a 200 that is no picture is a failure", async () => {
  const baseUrl = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>");
  });

  const result = await createClient({ baseUrl }).retrieveImageFile(link);

  expect(result).toMatchObject({ ok: false, status: 200, error: { code: "unexpected_answer" } });
});

test("a picture that is cut short rejects, as fetch does", async () => {
  const baseUrl = await serve((_, response) => {
    response.writeHead(200, { "content-type": "image/png", "content-length": "100" });
    response.write("short", () => response.destroy());
  });

  await expect(createClient({ baseUrl }).retrieveImageFile(link)).rejects.toThrow(TypeError);
});

test("an abort rejects with the reason of the signal", async () => {
  const controller = new AbortController();
  const reason = new Error("left");
  const baseUrl = await serve(() => controller.abort(reason));

  const call = createClient({ baseUrl }).retrieveImageFile(link, { signal: controller.signal });

  await expect(call).rejects.toBe(reason);
});
