import { expect, test } from "vitest";
import { signatureHeaders } from "./sign.js";

test("a message is signed as the Standard Webhooks reference library signs it", () => {
  const secret = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
  const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: 1_614_265_330_999, body: '{"test": 2432232314}' };

  expect(signatureHeaders(message, secret)).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});
