import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { temporaryParent } from '../services/temporary-parent.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A directory that is removed after the run. */
    runDirectory: string
  }
}

/** Every test project gets its own directory. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runDirectory = await mkdtemp(join(await temporaryParent(), 'parley-test-run-'))
  project.provide('runDirectory', runDirectory)
  // In watch mode the migrations may have changed since the template was made.
  project.onTestsRerun(() => rm(join(runDirectory, 'embedded-database'), { recursive: true, force: true }))
  return () => rm(runDirectory, { recursive: true, force: true })
}
