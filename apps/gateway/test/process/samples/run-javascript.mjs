// Runs JavaScript modules one after the other; see interpreter.ts.
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const write = process.stdout.write.bind(process.stdout);

for await (const line of createInterface({ input: process.stdin })) {
  const { folder, file, env } = JSON.parse(line);
  let printed = "";
  process.stdout.write = /** @type {typeof process.stdout.write} */ (
    (/** @type {string} */ text) => {
      printed += text;
      return true;
    }
  );
  process.chdir(folder);
  Object.assign(process.env, env);
  const failure = await import(pathToFileURL(join(folder, file)).href).then(
    () => undefined,
    (error) => String(error?.stack ?? error),
  );
  process.stdout.write = write;
  write(`${JSON.stringify({ printed, failure })}\n`);
}
