const GIVE_BACK_MS = 60_000;

/** Hands bytes to the browser as a file to keep. */
export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the address after the click: taken back at once, there would be nothing to save.
  setTimeout(() => URL.revokeObjectURL(url), GIVE_BACK_MS);
}

/** The file name in a Content-Disposition header, without folders. */
export function fileNameOf(disposition: string | null): string | null {
  const [, quoted, bare] = /filename="([^"]+)"|filename=([^\s;]+)/i.exec(disposition ?? "") ?? [];
  return (quoted ?? bare)?.split(/[\\/]/).pop() || null;
}
