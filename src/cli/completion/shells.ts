export const SHELLS = ["bash", "zsh", "fish", "powershell"];
