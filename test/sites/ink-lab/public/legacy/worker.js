importScripts("lib.js", "/legacy/more.js");
self.onmessage = function (event) {
  self.postMessage("legacy: " + self.lib(event.data) + self.more());
};
