import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type CDPSession, chromium } from 'playwright-core'

const programNames = ['chromium', 'chromium-browser', 'google-chrome']
const quietFlags = ['--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync']
/** A fake microphone that beeps once a second, with permission already granted. */
const microphoneFlags = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream']

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: [...quietFlags, ...microphoneFlags] })
}

function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const onPath = folders.flatMap((folder) => programNames.map((name) => join(folder, name)))
  const named = process.env.PARLEY_TEST_CHROMIUM
  const found = named ?? [...onPath, chromium.executablePath()].find((path) => existsSync(path))
  if (found === undefined)
    throw new Error('Chromium not found. Install it, or set PARLEY_TEST_CHROMIUM to its path.')
  return found
}

export interface ProcessTimes {
  /** The page: its main thread and its audio thread. */
  readonly pageSeconds: number
  /** The process that passes the page's audio to the device. */
  readonly soundSeconds: number
  readonly pagePids: readonly number[]
}

/** Returns the processor time of the browser's processes so far. */
export async function processTimes(session: CDPSession): Promise<ProcessTimes> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const ofType = (type: string) => processInfo.filter((info) => info.type === type)
  const seconds = (type: string) => ofType(type).reduce((sum, { cpuTime }) => sum + cpuTime, 0)
  return {
    pageSeconds: seconds('renderer'),
    soundSeconds: seconds('utility') + seconds('audio.mojom.AudioService'),
    pagePids: ofType('renderer').map(({ id }) => id),
  }
}

/** Returns the size of the page's heap after a garbage collection. */
export async function heldBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}
