import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { type Fit, fitSchema } from './fit-schema.js'
import { ownThreadNumber } from './thread-time.js'

/** What a check needs, as text: nothing of it is read outside of this thread. */
export interface CheckOrder {
  readonly schemaText: string
  readonly argumentsText: string
}

export type CheckMessage =
  | { readonly type: 'ready'; readonly threadNumber: number | null }
  | { readonly type: 'fit'; readonly fit: Fit }

/** A hostile schema keeps a core busy for as long as it may: everybody else goes first. */
const workerPriority = 5

// On Linux a priority belongs to the thread that sets it; elsewhere it would be the whole process's.
if (process.platform === 'linux') setPriority(Math.max(workerPriority, getPriority()))

const send = (message: CheckMessage) => parentPort?.postMessage(message)

parentPort?.on('message', ({ schemaText, argumentsText }: CheckOrder) => {
  send({ type: 'fit', fit: fitOf(schemaText, argumentsText) })
})
send({ type: 'ready', threadNumber: ownThreadNumber() })

function fitOf(schemaText: string, argumentsText: string): Fit {
  try {
    return fitSchema(schemaText, argumentsText)
  } catch {
    // A schema that refers to itself without end.
    return { ok: false, problem: "The arguments cannot be checked against the tool's schema." }
  }
}
