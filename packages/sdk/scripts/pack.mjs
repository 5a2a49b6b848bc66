// Packs the package into dist/parley-sdk.tgz, which the service serves at /sdk/parley-sdk.tgz.
import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const tarball = at('dist/parley-sdk.tgz')

/** Change whenever a file of the package changes. */
const sources = [
  'package.json',
  'README.md',
  'LICENSE',
  'audio.worklet.js',
  'dist/.tsbuildinfo',
  'dist/browser/parley-agent.js',
  'scripts/pack.mjs',
]

/** Packs the package if the tarball is older than its sources. */
export async function packSdk() {
  if (!isStale()) return
  const folder = await mkdtemp(join(tmpdir(), 'parley-sdk-'))
  try {
    const args = ['pack', '--json', '--ignore-scripts', '--workspaces=false', '--pack-destination', folder]
    const { stdout } = await promisify(execFile)('npm', args, { cwd: at('') })
    const [{ filename }] = JSON.parse(stdout)
    // The tarball is replaced atomically, because a service or a test may be reading it.
    const unfinished = `${tarball}.${process.pid}`
    await copyFile(join(folder, filename), unfinished)
    await rename(unfinished, tarball)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function isStale() {
  if (!existsSync(tarball)) return true
  const packed = statSync(tarball).mtimeMs
  return sources.some((path) => statSync(at(path)).mtimeMs > packed)
}
