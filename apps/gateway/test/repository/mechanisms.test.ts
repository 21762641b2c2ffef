import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listHouse, pathInHouse, withoutTests } from "./imports.js";

const sources = withoutTests(listHouse());

/** Things that the gateway does in one way, and the files that may do them by themselves. */
const mechanisms: readonly Mechanism[] = [
  {
    what: "a repetition is `every` (runtime/every.ts)",
    bare: /\bsetInterval\(/,
    // A thread, which imports nothing of the gateway.
    except: ["packages/runtime/src/every.ts", "storage/vectors/vector-file-worker.mjs"],
  },
  {
    what: "a growing pause is `backoffMs` (runtime/backoff.ts)",
    bare: /\* 2 \*\* \(?(?:attempt|fail|retr|this\.#fail)/,
    except: ["packages/runtime/src/backoff.ts"],
  },
  {
    what: "a file is written whole by `writeWhole` (runtime/write-whole.ts)",
    bare: /\brename(?:Sync)?\(/,
    // A download, a draft that grows for minutes, and a marker that was a response.
    except: [
      "apps/cli/src/batch/batch-api.ts",
      "packages/runtime/src/write-whole.ts",
      "storage/files/disk-file-store.ts",
      "storage/images/disk-response-store.ts",
    ],
  },
  {
    what: "an id is made by `newId` (runtime/new-id.ts)",
    bare: /randomBytes\(\w+\)\.toString\("hex"\)/,
    // A boundary in a body, the name of an object and an id of an installation: nobody looks these up by a prefix.
    except: [
      "packages/runtime/src/new-id.ts",
      "packages/providers/src/dialects/images/image-body.ts",
      "packages/object-store/src/expiring-objects.ts",
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
  const found = sources.filter((file) => bare.test(readFileSync(pathInHouse(file), "utf8")));

  expect(found.sort()).toEqual([...except].sort());
});
