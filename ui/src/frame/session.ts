import { createContext, useContext } from "react";

/** Forgets the token and asks for another. */
export const SignOutContext = createContext<() => void>(() => {});

export const useSignOut = () => useContext(SignOutContext);
