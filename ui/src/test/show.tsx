import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { HostProvider } from "../host/context";
import type { Host } from "../host/host";
import { mantineVariables, theme } from "../styles/theme";

/** Renders a part of the UI on a given host, with everything around it that it needs. */
export function show(ui: ReactNode, host: Host) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: "always" } } });
  return render(
    <MantineProvider theme={theme} cssVariablesResolver={mantineVariables} env="test">
      <QueryClientProvider client={client}>
        <HostProvider value={host}>{ui}</HostProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
}
