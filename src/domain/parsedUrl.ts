/** Owns reading a URL. `URL.canParse` of Node 20 refuses hosts and paths beyond ASCII once the engine has optimised it; the constructor doesn't. */

export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
