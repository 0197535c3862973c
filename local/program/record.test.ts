// The committed build: the same bytes from any folder, and what the check says when sources, program or compiler are others.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { crateOf, entrypoint } from './crates.fixture.ts';
import { runProgramTool } from './main.ts';
import { type BuildRecord, build, check, readBuild } from './record.ts';
import { findToolchain, HOW_TO_INSTALL } from './toolchain.ts';

const toolchain = findToolchain();
const BODY = `mod rules;\n${entrypoint('let text = rules::word(n); sol_log_(text.as_ptr(), text.len() as u64); [1u64, 2, 3][n as usize]')}`;
const RULES = `pub fn word(n: u64) -> &'static str { if n == 0 { "none" } else { "some" } }
#[cfg(test)]
mod tests {
    #[test]
    fn words() { assert_eq!(super::word(0), "none") }
    #[test]
    fn nightly() { println!("nightly: {}", std::env::var_os("TEST_LONG").is_some()) }
    #[test]
    #[should_panic]
    fn overflow() { let big = std::hint::black_box(u64::MAX); let _ = std::hint::black_box(big + 1); }
}
`;
const FILES = { 'src/rules.rs': RULES };
const BUILT = ['program.so', 'program.json'];

/** Runs the tool on a crate. @returns exit code and lines */
async function tool(crate: string, ...words: string[]) {
  const lines: string[] = [];
  const code = await runProgramTool(words, (line) => void lines.push(line), crate);
  return { code, text: lines.join('\n') };
}

test('without sources every command names the file that is missing', async () => {
  const crate = crateOf('');
  rmSync(join(crate, 'src/lib.rs'));
  for (const command of ['build', 'check', 'test', 'verify'])
    expect(await tool(crate, command)).toEqual({ code: 1, text: expect.stringMatching(/src\/lib\.rs is missing\.$/) });
});

test('an unknown command lists the known ones', async () => {
  expect(await tool('.', 'make')).toEqual({
    code: 1,
    text: 'program: unknown command make: install, build, check, test, verify, plan, deploy, status',
  });
});

describe.skipIf(!toolchain)(`the record of a build (${HOW_TO_INSTALL})`, () => {
  let crate: string;
  let built: Record<string, Buffer> | null = null;
  beforeEach(() => {
    crate = crateOf(BODY, FILES);
    if (!built) {
      build(toolchain!, crate);
      built = Object.fromEntries(BUILT.map((name) => [name, readFileSync(join(crate, name))]));
    }
    for (const [name, bytes] of Object.entries(built)) writeFileSync(join(crate, name), bytes);
  });
  const append = (name: string, text: string) =>
    writeFileSync(join(crate, name), Buffer.concat([readFileSync(join(crate, name)), Buffer.from(text)]));
  const changeRecord = (change: Partial<BuildRecord>) =>
    writeFileSync(join(crate, 'program.json'), JSON.stringify({ ...readBuild(crate).record, ...change }));

  test('two folders give the same bytes, which name neither', () => {
    const other = crateOf(BODY, FILES);
    const linked = build(toolchain!, other);
    const { image, record } = readBuild(crate);
    expect(linked.image.equals(image)).toBe(true);
    expect(linked.record).toEqual(record);
    for (const path of [crate, other, '/usr', 'src/']) expect(image.includes(path)).toBe(false);
    expect(record).toEqual({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      bytes: image.length,
      sbpf: 3,
      compiler: toolchain!.versions,
      sources: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('the check builds again, and compares byte by byte', () => {
    expect(check(toolchain, crate)).toMatch(
      /^program\.so is what its sources give, byte by byte \([\d,]+ bytes, sha256 \w{64}\)$/,
    );
  });

  test('a copy of the folder passes, too', () => {
    const copy = join(crate, 'copy');
    cpSync(join(crate, 'src'), join(copy, 'src'), { recursive: true });
    for (const name of BUILT) cpSync(join(crate, name), join(copy, name));
    expect(check(toolchain, copy)).toContain('byte by byte');
  });

  test('sources that changed without a build fail, with the compiler and without', () => {
    append('src/rules.rs', '// one line more\n');
    for (const one of [toolchain, null])
      expect(() => check(one, crate)).toThrow(/^The sources changed since program\.so was built\. Run node/);
  });

  test('a new file is a change of the sources', () => {
    writeFileSync(join(crate, 'src/more.rs'), '');
    expect(() => check(null, crate)).toThrow(/sources changed/);
  });

  test('another program fails, with the compiler and without', () => {
    append('program.so', '\0');
    for (const one of [toolchain, null])
      expect(() => check(one, crate)).toThrow(/^program\.so is not the file that program\.json describes\./);
  });

  test('a program that other sources gave fails where the compiler is the recorded one', () => {
    const record = readBuild(crate).record;
    const other = crateOf(BODY, { 'src/rules.rs': RULES.replace('"some"', '"more"') });
    const { record: foreign } = build(toolchain!, other);
    cpSync(join(other, 'program.so'), join(crate, 'program.so'));
    writeFileSync(join(crate, 'program.json'), JSON.stringify({ ...foreign, sources: record.sources }));
    expect(() => check(toolchain, crate)).toThrow(
      /^program\.so is not what its sources and this version of the build give/,
    );
    // Nothing can tell without it.
    expect(check(null, crate)).toMatch(/^the compiler is not installed: .* was not built again$/);
  });

  test('with another compiler hashes are compared, which is said', () => {
    changeRecord({ compiler: { ...toolchain!.versions, llvm: '21.0.0' } });
    expect(check(toolchain, crate)).toMatch(
      /^another compiler is installed than the one of program\.json \(llvm 22\.\S+, recorded 21\.0\.0\): .* was not built again$/,
    );
    append('src/lib.rs', '\n');
    expect(() => check(toolchain, crate)).toThrow(/sources changed/);
  });

  test('a program of a build that was not committed is said to be missing', () => {
    rmSync(join(crate, 'program.json'));
    expect(() => check(toolchain, crate)).toThrow(/program\.json is missing\. Run node local\/program\.mjs build\.$/);
  });

  test('verify checks, runs the tests once, and not again until a byte changes', async () => {
    const first = await tool(crate, 'verify');
    expect(first).toEqual({ code: 0, text: expect.stringContaining('3 tests passed, 0 failed, 0 skipped') });
    expect((await tool(crate, 'verify')).text).toContain('tests not run, 3 passed for exactly these sources');
    expect((await tool(crate, 'verify', '--long')).text).toContain('3 tests passed');
    append('src/rules.rs', '#[test] fn wrong() { assert_eq!(word(1), "none") }\n');
    expect((await tool(crate, 'build')).code).toBe(0);
    const failed = await tool(crate, 'verify');
    expect(failed).toEqual({ code: 1, text: expect.stringMatching(/The tests of the program failed\.[\s\S]*wrong/) });
  });

  test('no tests, and tests that do not compile, fail', async () => {
    expect((await tool(crateOf(entrypoint('n')), 'test')).text).toBe('program: The program has no tests.');
    const broken = await tool(crateOf('#[test] fn one() { missing() }'), 'test');
    expect(broken).toEqual({ code: 1, text: expect.stringContaining('The tests do not compile.') });
  });
});
