import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRealtimeService } from '../support/realtime/realtime-service.js'
import { expectedRecordings } from '../support/realtime/recordings/expected-recordings.js'
import { playRecording } from '../support/realtime/recordings/play-recording.js'
import { readRecording } from '../support/realtime/recordings/recording.js'
import type { PlayedWith } from '../support/realtime/recordings/recording-player.js'
import { startScriptedHttpServer } from '../support/scripted-http-server.js'

/** The folder of the recordings. `npm run recordings` sets it. */
const folder = process.env.PARLEY_RECORDINGS ?? ''

const fileOf = (name: string) => join(folder, `${name}.yaml`)
const found = Object.entries(expectedRecordings).filter(([name]) => existsSync(fileOf(name)))
const counts = new Map<string, { played: number; matched: number }>()

let parts: PlayedWith

beforeAll(async () => {
  parts = { service: await startRealtimeService(), tools: await startScriptedHttpServer() }
})

afterAll(async () => {
  await parts.service.close()
  await parts.tools.close()
  await report()
})

describe('recorded sessions', () => {
  test('the folder has recordings of the table', () => {
    expect(found.length, `No recording of the table is in ${folder}.`).toBeGreaterThan(0)
  })

  test.each(found)(
    '%s leaves its words, calls and tokens in the database',
    { timeout: 300_000 },
    async (name, { kind, ...expected }) => {
      const count = counts.get(kind) ?? { played: 0, matched: 0 }
      counts.set(kind, count)
      count.played += 1
      const recording = await readRecording(fileOf(name))
      if (recording === null) throw new Error(`${fileOf(name)} is not the recording of a WebSocket.`)
      expect(await playRecording(parts, kind, recording)).toEqual(expected)
      count.matched += 1
    },
  )
})

/** Prints the figures of each provider, and the recordings without a row in the table. */
async function report(): Promise<void> {
  const lines = [...counts].map(([kind, { played, matched }]) => `${kind}: ${matched} of ${played} matched`)
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.yaml')).sort()
  for (const file of files)
    if (!(file.slice(0, -'.yaml'.length) in expectedRecordings))
      lines.push(
        `${file}: ${(await readRecording(join(folder, file))) === null ? 'no WebSocket' : 'not in the table'}`,
      )
  process.stdout.write(`\n${lines.join('\n')}\n`)
}
