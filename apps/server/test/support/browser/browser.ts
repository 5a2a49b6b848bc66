import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { inject } from 'vitest'
import { closeAfterwards } from '../close-afterwards.js'

/** Background activity of a browser costs time and calls other hosts. */
const quietFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page lives for seconds, so optimized code does not pay off and little garbage is left.
  '--js-flags=--no-turbofan --min-semi-space-size=32',
]

/**
 * One browser for all test files of this worker, launched by the first that needs it. It ends with the
 * worker.
 */
let launched: Promise<Browser> | undefined

/** A new browser context that is closed after the test. */
export async function newVisitor(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  // A crashed browser fails only the test in which it crashed.
  if (launched === undefined || !(await launched).isConnected()) launched = launch()
  const context = await (await launched).newContext(options)
  closeAfterwards(() => context.close())
  return context
}

/**
 * Sets the next microphone input: 16-bit samples, one channel. Playback starts when the first page opens the
 * microphone.
 */
export async function putIntoMicrophone(samples: Buffer, rate: number): Promise<void> {
  await writeFile(microphoneFile(), Buffer.concat([waveHeader(samples.length, rate), samples]))
}

function launch(): Promise<Browser> {
  const program = inject('browser')
  if (!program.ok) throw new Error(program.problem)
  const microphone = [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${microphoneFile()}%noloop`,
  ]
  return chromium.launch({
    executablePath: program.path,
    args: [...quietFlags, ...microphone],
    env: { ...process.env, ...program.environment },
  })
}

/** Each worker has its own microphone file. */
function microphoneFile(): string {
  return join(inject('runDirectory'), `microphone-${process.pid}.wav`)
}

function waveHeader(bytes: number, rate: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + bytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(bytes, 40)
  return header
}
