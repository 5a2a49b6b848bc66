import { parentPort, workerData } from 'node:worker_threads'
import { makeOfflineModel, type OfflineModel, startEngine } from '@parley/engine'
import { type ThreadReply, type ThreadRequest, ticketHeader } from './thread-messages.js'
import { SpokenTextModels } from './voiced-text-models.js'

/*
 * The engine in a thread of its own. Its heavy work has threads already; but reading its code takes the better part of a
 * second and putting an answer together some milliseconds, which the service's event loop does not have.
 */
const { secret } = workerData as { secret: string }
const tell = (reply: ThreadReply) => parentPort?.postMessage(reply)
const log = (line: string) => tell({ type: 'log', line })

let offline: OfflineModel | null = null
const spoken = new SpokenTextModels(tell)
const engine = await startEngine({
  host: '127.0.0.1',
  port: 0,
  secret,
  log,
  textModelFor: ({ headers }) => {
    const ticket = headers[ticketHeader]
    return typeof ticket === 'string' ? spoken.modelFor(ticket) : null
  },
})

parentPort?.on('message', (request: ThreadRequest) => {
  if (request.type === 'close') void close()
  else if (request.type === 'think') void think(request)
  else spoken.take(request)
})
tell({ type: 'listening', url: engine.url })

async function close(): Promise<void> {
  await Promise.all([engine.close(), offline?.close()])
  parentPort?.close()
}

async function think({ id, messages, tools }: Extract<ThreadRequest, { type: 'think' }>): Promise<void> {
  try {
    offline ??= makeOfflineModel({ log })
    tell({ type: 'thought', id, thought: await offline.step({ messages, tools }) })
  } catch (error) {
    tell({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) })
  }
}
