import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { inject } from 'vitest'
import { closeAfterwards } from '../close-afterwards.js'

/** What a browser does of its own accord costs time and asks strangers. */
const quietFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page is there for seconds: it has not run a function often enough to gain by the best of code, nor left much behind.
  '--js-flags=--no-turbofan --min-semi-space-size=32',
]

/** One browser for all test files of this worker, started by the first that needs it. It ends with the worker. */
let launched: Promise<Browser> | undefined

/** A visitor nobody has seen before, gone after the test. */
export async function newVisitor(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  // One that has broken down has failed the test that it was in, and no other one.
  if (launched === undefined || !(await launched).isConnected()) launched = launch()
  const context = await (await launched).newContext(options)
  closeAfterwards(() => context.close())
  return context
}

/** What the microphone takes next: 16 bit samples, one channel. It begins when a page opens it and none had it open. */
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

/** Each worker has a microphone of its own. */
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
