// A text without the escapes of JSON, URLs and HTML: what it says once something has read it.

const ESCAPE =
  /\\+(?:u\{0{0,4}([0-9a-fA-F]{1,2})\}|u00([0-9a-fA-F]{2})|x([0-9a-fA-F]{2})|(["'/bfnrt]))|%(?:25)*([0-7][0-9a-fA-F])|&(?:amp;)*#(?:x0{0,4}([0-9a-fA-F]{1,2})|0{0,4}(\d{1,3}));|&(?:amp;)*(quot|apos|amp|lt|gt);|\\{2,}/g;
const CONTROLS: Record<string, string> = { b: ' ', f: ' ', n: '\n', r: '\n', t: ' ' };
const ENTITIES: Record<string, string> = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>' };

export const hasEscapes = (text: string) => /[\\%&]/.test(text);

/** However often ASCII was escaped in one way, it is read at once. */
export function unescaped(text: string): string {
  if (!hasEscapes(text)) return text;
  return text.replace(ESCAPE, (_all, ...groups: (string | undefined)[]) => {
    const [braces, unicode, hex, control, percent, entityHex, entity, named] = groups;
    const code = braces ?? unicode ?? hex ?? percent ?? entityHex;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (entity !== undefined) return String.fromCharCode(Number(entity));
    if (named !== undefined) return ENTITIES[named] ?? named;
    return control === undefined ? '\\' : (CONTROLS[control] ?? control);
  });
}
