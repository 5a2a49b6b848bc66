import { expect, test, vi } from 'vitest'
import { startEngineWorkers } from '#engine/workers/engine-workers.js'

/** Starts the threads, hears something, ends them, and tells what was said of the library. */
async function hearAndEnd(): Promise<string> {
  const lines: string[] = []
  const workers = startEngineWorkers({
    runtime: 'auto',
    maxWaiting: 1,
    onProgress: (line) => void lines.push(line),
  })
  const heard = await workers.speechToText.transcribe({ samples: new Int16Array(16_000), rate: 16_000 }, {})
  expect(heard).toMatchObject({ ok: true })
  await workers.close()
  return lines.find((line) => line.includes('ready')) ?? ''
}

// Models are loaded twice, and others may be at work on this machine.
vi.setConfig({ testTimeout: 60_000 })

test('[ENG-18] who takes the place of a recogniser that has ended hears with the native library too', async () => {
  expect(await hearAndEnd()).toContain('(native)')
  expect(await hearAndEnd()).toContain('(native)')
})
