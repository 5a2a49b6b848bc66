// A build creates two versions: separate files in `dist`, and a bundle with all dependencies in `bundle`, which loads in a
// third of the time. The bundle runs unless it is older than its sources.
import { existsSync, statSync } from 'node:fs'

const top = new URL('../../../', import.meta.url)
export const bundle = new URL('../bundle/', import.meta.url)
/** Written last. A bundle without it is incomplete. */
export const bundleStamp = new URL('.made', bundle)

/** The files that change whenever a source of the bundle changes. */
const sources = [
  ...['contract', 'embedded-database', 'sdk', 'telephone', 'terminal', 'agents-as-code', 'agent-tests'].map(
    (name) => `packages/${name}/dist/.tsbuildinfo`,
  ),
  'apps/server/dist/.tsbuildinfo',
  'package-lock.json',
]

export function isBundleCurrent() {
  if (!existsSync(bundleStamp)) return false
  const { mtimeMs: made } = statSync(bundleStamp)
  return sources
    .map((file) => new URL(file, top))
    .every((file) => !existsSync(file) || statSync(file).mtimeMs <= made)
}

/** Returns the URL of a program of the server. */
export function findProgram(name) {
  return new URL(`${name}.js`, isBundleCurrent() ? bundle : new URL('../dist/', import.meta.url))
}
