import { afterAll, beforeAll } from "vitest";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import type { StrictServer } from "../providers/strict-server.js";

export interface VendorGateway {
  /** The vendor's own address. */
  readonly vendor: string;
  readonly gateway: string;
}

/**
 * For the tests of a vendor's client: the vendor, which refuses whatever it does not know, and a gateway in front of it.
 *
 * @param config Of the gateway, by the vendor's address.
 */
export function vendorGateway(
  start: () => Promise<StrictServer>,
  config: (origin: string) => string,
): VendorGateway {
  let vendor: StrictServer;
  let gateway: InProcessGateway;
  beforeAll(async () => {
    vendor = await start();
    gateway = await startGateway(config(vendor.origin));
  });
  afterAll(async () => {
    await gateway.stop();
    vendor.close();
  });
  return {
    get vendor() {
      return vendor.origin;
    },
    get gateway() {
      return gateway.url;
    },
  };
}
