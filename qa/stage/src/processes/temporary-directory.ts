import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryDirectory {
  readonly path: string
  remove(): Promise<void>
}

/** Makes a temporary directory. Removed when the process exits normally. */
export async function makeTemporaryDirectory(name: string): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), `parley-bench-${name}-`))
  const options = { recursive: true, force: true, maxRetries: 3 }
  const removeNow = () => rmSync(path, options)
  process.once('exit', removeNow)
  return {
    path,
    async remove() {
      process.removeListener('exit', removeNow)
      await rm(path, options)
    },
  }
}
