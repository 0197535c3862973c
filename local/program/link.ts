// Makes the program out of the compiler's object: places sections, fills in addresses, refuses what Solana would refuse later.
import { BuildError } from './buildError.ts';
import { writeImage } from './image.ts';
import { placeSections } from './layout.ts';
import { readObject } from './object.ts';
import { checkInstructions } from './opcodes.ts';
import { relocate } from './relocate.ts';

export const ENTRY = 'entrypoint';

export type Linked = { image: Buffer; syscalls: string[]; codeBytes: number; dataBytes: number };

/** @param file the object that LLVM wrote @throws BuildError with a sentence about what the sources have to change */
export function link(file: Buffer): Linked {
  const object = readObject(file);
  const layout = placeSections(object);
  const symbol = object.symbols.find(({ name, section }) => name === ENTRY && section !== 0);
  const start = symbol && layout.codeAt.get(symbol.section);
  if (!symbol || start === undefined)
    throw new BuildError(`There is no ${ENTRY}: write #[no_mangle] pub extern "C" fn ${ENTRY}(input: *mut u8) -> u64.`);
  const syscalls = relocate(object, layout);
  const { code, data } = layout;
  checkInstructions(code);
  return {
    image: writeImage({ code, data, entry: start + symbol.value }),
    syscalls,
    codeBytes: code.length,
    dataBytes: data.length,
  };
}
