/** The name of the modifier key on this machine. */
export const MOD = /Mac|iPhone|iPad/.test(navigator.platform) ? "\u2318" : "Ctrl";
