import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { ProblemError } from "./api/client";
import { Frame } from "./frame/Frame";
import { HostProvider } from "./host/context";
import type { Host } from "./host/host";
import { Boundary } from "./parts/Boundary";
import { mantineVariables, theme } from "./styles/theme";
import { Start } from "./views/first/Start";

/** A refusal is an answer and is not asked for again; an engine that was not reached is. */
function makeClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => !(error instanceof ProblemError) && count < 3,
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}

export function App({ host }: { host: Host }) {
  const [client] = useState(makeClient);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={mantineVariables} defaultColorScheme="auto">
      <QueryClientProvider client={client}>
        <HostProvider value={host}>
          <Boundary>
            <Start>
              <Frame />
            </Start>
          </Boundary>
        </HostProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
