import { Component, type ReactNode } from "react";
import { ErrorNote } from "./Notes";

/** Keeps a fault of one page from taking the whole window with it. */
export class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    return <ErrorNote error={this.state.error} again={() => this.setState({ error: null })} />;
  }
}
