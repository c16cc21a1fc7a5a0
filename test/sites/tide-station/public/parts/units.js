export const unit = "metres";
