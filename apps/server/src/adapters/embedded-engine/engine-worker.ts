import { parentPort, workerData } from 'node:worker_threads'
import { makeDemoModel } from '@parley/demo-model'
import { resampleClip, startEngine } from '@parley/engine'
import { ownerHeader, type ThreadReply, type ThreadRequest, voicedModelHeader } from './thread-messages.js'
import { VoicedModelClient } from './voiced-model-client.js'

/*
 * Runs the engine in its own thread. Speech already has worker threads, but loading the engine's code takes
 * most of a second and an answer takes some milliseconds. Both would otherwise block the service's event
 * loop.
 */
const { secret } = workerData as { secret: string }
const send = (reply: ThreadReply) => parentPort?.postMessage(reply)
const log = (line: string) => send({ type: 'log', line })

/** One organization can use at most half of the sessions. */
const sessionLimits = { maxSessions: 128, maxSessionsPerOwner: 64 } as const

const telephoneRate = 8000

const demoModel = makeDemoModel()
const voiced = new VoicedModelClient(send)
const engine = await startEngine({
  host: '127.0.0.1',
  port: 0,
  secret,
  log,
  onHearing: () => send({ type: 'hearing' }),
  ...sessionLimits,
  ownerOf: ({ headers }) => String(headers[ownerHeader]),
  textModelFor: ({ headers }) => {
    const token = headers[voicedModelHeader]
    return typeof token === 'string' ? voiced.modelFor(token) : null
  },
})

/** If true, no new step starts. */
let isClosing = false

parentPort?.on('message', (request: ThreadRequest) => {
  if (request.type === 'close') void close()
  else if (request.type === 'speak') void speak(request)
  else if (request.type !== 'demo-step') voiced.handle(request)
  else if (!isClosing) runDemoStep(request)
})
send({ type: 'listening', url: engine.url })

async function close(): Promise<void> {
  isClosing = true
  await engine.close()
  parentPort?.close()
}

function runDemoStep({ id, ...request }: Extract<ThreadRequest, { type: 'demo-step' }>): void {
  try {
    send({ type: 'demo-result', id, step: demoModel.step(request) })
  } catch (error) {
    send({ type: 'demo-failure', id, message: error instanceof Error ? error.message : String(error) })
  }
}

async function speak({ id, text }: Extract<ThreadRequest, { type: 'speak' }>): Promise<void> {
  const clip = await engine.speak({ text, voice: 'alloy', speed: 1 })
  if (clip.ok) send({ type: 'speech', id, samples: resampleClip(clip.value, telephoneRate) })
  else
    send({
      type: 'speech-failure',
      id,
      message: clip.kind === 'overloaded' ? 'The voice is busy.' : clip.message,
    })
}
