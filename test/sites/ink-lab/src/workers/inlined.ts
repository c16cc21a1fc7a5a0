import { mix } from "./mix";

self.onmessage = ({ data }: MessageEvent<string>) => self.postMessage(`inlined: ${mix(data, "indigo")}`);
