import { SYSTEM } from "../host/system";

/** The name of the modifier key on this machine. */
export const MOD = SYSTEM === "mac" ? "\u2318" : "Ctrl";
