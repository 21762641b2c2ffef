// Locks the data folder given as argument, prints "locked" and runs until it is stopped. Uses the build, as a gateway does.
import { lockDataFolder } from "@model-gateway/data-folder/data-folder-lock";

lockDataFolder(process.argv[2]);
process.stdout.write("locked\n");
setInterval(() => undefined, 60_000);
