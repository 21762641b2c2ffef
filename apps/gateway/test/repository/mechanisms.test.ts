import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { listModules } from "./imports.js";

const src = fileURLToPath(new URL("../../src/", import.meta.url));
const sources = listModules(src).filter((file) => !file.endsWith(".test.ts") && !file.includes("/test/"));

/** Things that the gateway does in one way, and the files that may do them by themselves. */
const mechanisms: readonly Mechanism[] = [
  {
    what: "a repetition is `every` (domain/every.ts)",
    bare: /\bsetInterval\(/,
    // A thread, which imports nothing of the gateway.
    except: ["domain/every.ts", "storage/vectors/vector-file-worker.mjs"],
  },
  {
    what: "a growing pause is `backoffMs` (domain/backoff.ts)",
    bare: /\* 2 \*\* \(?(?:attempt|fail|retr|this\.#fail)/,
    except: ["domain/backoff.ts"],
  },
  {
    what: "a file is written whole by `writeWhole` (domain/write-whole.ts)",
    bare: /\brename(?:Sync)?\(/,
    // A download, a draft that grows for minutes, and a marker that was a response.
    except: [
      "commands/batch/batch-api.ts",
      "domain/write-whole.ts",
      "storage/files/disk-file-store.ts",
      "storage/images/disk-response-store.ts",
    ],
  },
  {
    what: "an id is made by `newId` (domain/new-id.ts)",
    bare: /randomBytes\(\w+\)\.toString\("hex"\)/,
    // A boundary in a body, the name of an object and an id of an installation: nobody looks these up by a prefix.
    except: [
      "domain/new-id.ts",
      "providers/dialects/images/image-body.ts",
      "storage/s3/expiring-objects.ts",
      "storage/site.ts",
    ],
  },
  {
    what: "a lease is a row of a `LeasedTable`, or one of `Leases` (storage/work)",
    bare: /\b(?:lease|lock|claim|held|hold)(?:ed)?_?until\b/i,
    except: [
      "storage/database/schema/work-tables.ts",
      "storage/work/leased-table.ts",
      "storage/work/leases.ts",
    ],
  },
];

interface Mechanism {
  readonly what: string;
  readonly bare: RegExp;
  readonly except: readonly string[];
}

test.each(mechanisms)("$what", ({ bare, except }) => {
  const found = sources.filter((file) => bare.test(readFileSync(join(src, file), "utf8")));

  expect(found.sort()).toEqual([...except].sort());
});
