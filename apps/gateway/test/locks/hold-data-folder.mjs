// Locks the data folder that is named, says so, and stays until it is stopped. Of the build, as a gateway is.
import { lockDataFolder } from "../../dist/modules/storage/data-folder-lock.js";

lockDataFolder(process.argv[2]);
process.stdout.write("locked\n");
setInterval(() => undefined, 60_000);
