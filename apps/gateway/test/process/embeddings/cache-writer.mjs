// Writes vectors to the cache on disk until it is killed. Says after each batch how many it has handed over.
import { setImmediate } from "node:timers/promises";
import { openDiskVectorCache } from "../../../dist/modules/storage/vectors/disk-vector-cache.js";
import { cachedEntry } from "./cached-entry.mjs";

const batchSize = 20;
const [folder = "", from = "0"] = process.argv.slice(2);
const cache = await openDiskVectorCache({
  folder,
  bytesMax: 64 * 1024 * 1024,
  removesOldFiles: true,
  checkRoom: () => undefined,
  now: Date.now,
  onFailure: (failure) => console.error(failure),
});
for (let next = Number(from); ; next += batchSize) {
  cache.write(
    Array.from({ length: batchSize }, (_, index) => cachedEntry(next + index)),
    3_600_000,
  );
  process.stdout.write(`${next + batchSize}\n`);
  await setImmediate();
}
