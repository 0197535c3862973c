// The part of the build that gives pages their guides: `import { guide } from '….md?guide'` is the markdown read as data, so no page parses text or
// injects HTML at run time. Pictures and files that a guide names become files of the pages.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { readGuide } from './readGuide.ts';

const QUERY = '?guide';
const ROOT = join(import.meta.dirname, '..');

export function guides(): Plugin {
  return {
    name: 'guides',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.endsWith(QUERY)) return null;
      const found = await this.resolve(source.slice(0, -QUERY.length), importer, { skipSelf: true });
      return found && found.id + QUERY;
    },
    load(id) {
      if (!id.endsWith(QUERY)) return null;
      const path = id.slice(0, -QUERY.length);
      this.addWatchFile(path);
      const files: string[] = [];
      const fileOf = (file: string) => {
        if (!files.includes(file)) files.push(file);
        return `file:${files.indexOf(file)}`;
      };
      const guide = readGuide({ markdown: readFileSync(path, 'utf8'), path: relative(ROOT, path), root: ROOT, fileOf });
      const imports = files.map(
        (file, index) => `import file${index} from ${JSON.stringify(`${join(ROOT, file)}?url`)};`,
      );
      const data = JSON.stringify(guide).replace(/"file:(\d+)"/g, 'file$1');
      return { code: `${imports.join('\n')}\nexport const guide = ${data};`, moduleType: 'js' };
    },
  };
}
