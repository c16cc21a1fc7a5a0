self.lib = function (ink) { return ink + " with soot"; };
