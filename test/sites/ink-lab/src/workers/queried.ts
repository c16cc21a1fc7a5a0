import { mix } from "./mix";

self.onmessage = ({ data }: MessageEvent<string>) => self.postMessage(`queried: ${mix(data, "sepia")}`);
