self.more = function () { return " and gum"; };
