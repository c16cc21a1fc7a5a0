import type { Asset, ImprintApi } from "../client/api.ts";
import { connect } from "../client/connect.ts";
import type { ConnectOptions } from "../client/options.ts";
import { moveAddress, type FileAddresses } from "../sync/desired/page-addresses.ts";
import type { Target } from "./target.ts";

/**
 * Connects to the service of a run. The embedded service has its files on other ports from time to time; here they always
 * have the address that is written into pages, so that no page changes with a port.
 */
export async function connectTarget(
  target: Target,
  options: Omit<ConnectOptions, "baseUrl" | "apiKey">,
): Promise<ImprintApi> {
  const api = await connect({ ...options, ...target });
  return target.files === undefined ? api : withSteadyFiles(api, target.files);
}

function withSteadyFiles(api: ImprintApi, { written, answered, reachable }: FileAddresses): ImprintApi {
  const steady = (asset: Asset): Asset => ({
    ...asset,
    url: moveAddress(asset.url, { from: [answered], to: written }),
  });
  const { assets } = api;
  return {
    ...api,
    // These change while the client is used.
    get capabilities() {
      return api.capabilities;
    },
    get concurrency() {
      return api.concurrency;
    },
    get dialect() {
      return api.dialect;
    },
    assets: {
      ...assets,
      async list(...args) {
        const listing = await assets.list(...args);
        return { ...listing, items: listing.items.map(steady) };
      },
      async newest(...args) {
        const asset = await assets.newest(...args);
        return asset && steady(asset);
      },
      upload: async (...args) => steady(await assets.upload(...args)),
      importFrom: async (...args) => steady(await assets.importFrom(...args)),
      update: async (...args) => steady(await assets.update(...args)),
    },
    visit: (address, options) => api.visit(moveAddress(address, { from: [written, answered], to: reachable }), options),
  };
}
