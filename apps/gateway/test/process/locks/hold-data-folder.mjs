// Locks the data folder given as argument, prints "locked" and runs until it is stopped. Uses the build, as a gateway does.
import { lockDataFolder } from "../../../dist/modules/storage/data-folder-lock.js";

lockDataFolder(process.argv[2]);
process.stdout.write("locked\n");
setInterval(() => undefined, 60_000);
