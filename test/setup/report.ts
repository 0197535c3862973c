// The end of a run: how much passed, its slowest files, and every test that passed only when it was tried again, which is a failure.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';

const SLOWEST = 15;

export const report: Reporter = {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const retried = tests.filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0);
    for (const { module, fullName } of retried) console.log(`✘ only after a retry: ${nameOf(module)} ${fullName}`);
    if (retried.length > 0) process.exitCode = 1;
    if (modules.length > 1) console.log(slowest(modules));
    const inState = (state: string) => tests.filter((test) => test.result().state === state).length;
    const broken = modules.filter((module) => module.state() === 'failed').length;
    const counts = {
      passed: inState('passed') - retried.length,
      // A file that does not load, or whose hooks fail, has no test that failed.
      failed: Math.max(inState('failed') + retried.length, broken),
      skipped: inState('skipped') + inState('pending'),
    };
    const file = process.env['TEST_COUNTS'];
    if (file) writeFileSync(file, JSON.stringify(counts));
  },
};

function nameOf(module: TestModule): string {
  return `${relative(module.project.config.root, module.moduleId)} (${module.project.name})`;
}

function slowest(modules: readonly TestModule[]): string {
  const lines = modules
    .map((module) => ({ module, ms: module.diagnostic().duration + module.diagnostic().collectDuration }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST)
    .map(({ module, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${nameOf(module)}`);
  return ['', `The ${lines.length} slowest files:`, ...lines].join('\n');
}
