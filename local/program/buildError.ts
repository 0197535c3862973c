// What stops a build of the Solana program: one sentence for the person who changes its sources.

export class BuildError extends Error {
  override name = 'BuildError';
}
