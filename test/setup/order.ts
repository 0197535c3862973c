// The order of the files: what takes long comes first, so that at the end no worker waits for another one's long file.
import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By what a file starts; within one kind, a longer file takes longer. */
const KINDS = [/\.kill\.test\./, /\.browser\.test\./, /\.world\.test\./, /\.chain\.test\./, /\.db\.test\./];

/** The library asks for a class. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranked = files.map((file) => {
      const kind = KINDS.findIndex((pattern) => pattern.test(file.moduleId));
      // A worker keeps its modules for files of its own project only.
      const project = file.project.name === 'redis' ? 0 : 1;
      return { file, project, kind: kind < 0 ? KINDS.length : kind, size: statSync(file.moduleId).size };
    });
    ranked.sort((a, b) => a.project - b.project || a.kind - b.kind || b.size - a.size);
    return ranked.map(({ file }) => file);
  }
}
