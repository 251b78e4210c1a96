/** One server-sent event. */
export interface StreamEvent {
  id: string;
  type: string;
  data: string;
}

/** Reads server-sent events from a response body, however the bytes are cut into pieces. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event) yield event;
      }
    }
  } finally {
    reader.releaseLock();
  }
}

function parseBlock(block: string): StreamEvent | null {
  const event: StreamEvent = { id: "", type: "message", data: "" };
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const at = line.indexOf(":");
    if (at <= 0) continue;
    const field = line.slice(0, at);
    const value = line.slice(at + 1).replace(/^ /, "");
    if (field === "data") data.push(value);
    else if (field === "event") event.type = value;
    else if (field === "id") event.id = value;
  }
  if (data.length === 0) return null;
  event.data = data.join("\n");
  return event;
}
