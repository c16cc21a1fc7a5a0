// As scripts from before modules find the files that lie beside them.
(function () {
  var folder = document.currentScript.src.replace(/[^/]*$/, "");
  var own = document.currentScript;
  function write(id, text) {
    document.querySelector('[data-testid="' + id + '"]').textContent = text;
  }
  function show(id, address) {
    var image = new Image();
    image.onload = function () {
      write(id, image.naturalWidth + " pixels");
    };
    image.onerror = function () {
      write(id, "broken");
    };
    image.src = address;
  }
  show("picture", folder + "marker.png");
  show("url", new URL("./marker.png", own.src).href);
  fetch(folder + "widget.json")
    .then(function (response) {
      return response.json();
    })
    .then(
      function (data) {
        write("data", data.title);
      },
      function () {
        write("data", "none");
      },
    );
  var style = document.createElement("link");
  style.rel = "stylesheet";
  style.onload = function () {
    write("style", getComputedStyle(document.querySelector('[data-testid="style"]')).color);
  };
  style.onerror = function () {
    write("style", "none");
  };
  style.href = folder + "widget.css";
  document.head.append(style);
  var part = document.createElement("script");
  part.onload = function () {
    write("part", self.tideWidget.title);
  };
  part.onerror = function () {
    write("part", "none");
  };
  part.src = folder + "part.js";
  document.head.append(part);
})();
