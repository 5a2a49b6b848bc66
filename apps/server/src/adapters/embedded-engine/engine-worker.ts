import { parentPort, workerData } from 'node:worker_threads'
import { makeOfflineModel, type OfflineModel, startEngine } from '@parley/engine'
import { ownerHeader, type ThreadReply, type ThreadRequest, voicedModelHeader } from './thread-messages.js'
import { VoicedModelClient } from './voiced-model-client.js'

/*
 * The engine in a thread of its own. Its heavy work has threads already; but reading its code takes the better part of a
 * second and putting an answer together some milliseconds, which the service's event loop does not have.
 */
const { secret } = workerData as { secret: string }
const send = (reply: ThreadReply) => parentPort?.postMessage(reply)
const log = (line: string) => send({ type: 'log', line })

/** As many as one organization could have alone are left for the others. */
const sessionLimits = { maxSessions: 128, maxSessionsPerOwner: 64 } as const

let offline: OfflineModel | null = null
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

/** From then on no step begins: a model made for one would be closed by nobody, and keep the thread. */
let isClosing = false

parentPort?.on('message', (request: ThreadRequest) => {
  if (request.type === 'close') void close()
  else if (request.type !== 'offline-step') voiced.handle(request)
  else if (!isClosing) void runOfflineStep(request)
})
send({ type: 'listening', url: engine.url })

async function close(): Promise<void> {
  isClosing = true
  await Promise.all([engine.close(), offline?.close()])
  parentPort?.close()
}

type OfflineRequest = Extract<ThreadRequest, { type: 'offline-step' }>

async function runOfflineStep({ id, organizationId: owner, messages, tools }: OfflineRequest): Promise<void> {
  try {
    offline ??= makeOfflineModel({ log })
    send({ type: 'offline-result', id, step: await offline.step({ messages, tools, owner }) })
  } catch (error) {
    send({ type: 'offline-failure', id, message: error instanceof Error ? error.message : String(error) })
  }
}
