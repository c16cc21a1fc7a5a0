import { mix } from "./mix";

self.onmessage = ({ data }: MessageEvent<string>) => self.postMessage(`module: ${mix(data, "walnut")}`);
