self.tideWidget = { title: "A part of the widget" };
