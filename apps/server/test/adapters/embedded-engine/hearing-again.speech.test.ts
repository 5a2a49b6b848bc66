import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { makeEmbeddedEngine } from '#server/adapters/embedded-engine/embedded-engine.js'
import { makeLog } from '#server/adapters/system/log.js'

const models = { step: () => Promise.reject(new Error('No other engine is called.')) }

// The models are loaded twice, and other work may run on this machine.
const timeout = 60_000

test('an engine that replaces one that has ended recognizes speech with the same library [ENG-18]', {
  timeout,
}, async () => {
  for (const time of ['first', 'second']) {
    const lines: string[] = []
    const log = makeLog('info', false, { destination: { write: (line) => void lines.push(line) } })
    const engine = makeEmbeddedEngine(log, models)
    const { url, secret } = await engine.start(null)
    const headers = { authorization: `Bearer ${secret}` }
    const client = new WebSocket(`${url}?model=parley`, { headers })
    client.on('open', () => client.send('{"type":"input_audio_buffer.append","audio":"AAAAAAAA"}'))
    const isReady = () => lines.find((line) => line.includes('Speech recognition is ready'))
    expect(await vi.waitUntil(isReady, { timeout }), time).toContain('(native)')
    client.terminate()
    await engine.close()
  }
})
