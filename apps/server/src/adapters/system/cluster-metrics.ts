import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'

/*
 * One worker receives Prometheus' request, but the response must contain the metrics of all workers.
 *
 *   worker ──asked──► primary ──prom-client's own messages──► every worker
 *      ◄──answered── the sum ◄───────────────────────────────────┘
 */
const kind = 'parley:metrics'

interface Asked {
  readonly kind: typeof kind
  readonly id: number
}

interface Answered extends Asked {
  /** Null if a worker did not answer. */
  readonly text: string | null
}

/** Called in the primary process. Aggregates the metrics of all workers for the worker that requests them. */
export function addUpMetrics(): void {
  const all = new AggregatorRegistry()
  cluster.on('message', async (worker: Worker, message: unknown) => {
    if (!isOurs(message)) return
    const text = await all.clusterMetrics().catch(() => null)
    worker.send({ kind, id: message.id, text } satisfies Answered)
  })
}

/**
 * Called in a worker. Returns a function that requests the metrics of all workers, including those of this
 * registry.
 */
export function metricsOfAllWorkers(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(registry)
  // Created for its listeners, which respond to the primary process.
  new AggregatorRegistry()
  const waiting = new Map<number, (text: string | null) => void>()
  let lastId = 0
  process.on('message', (message: unknown) => {
    if (!isOurs(message)) return
    waiting.get(message.id)?.((message as Answered).text)
    waiting.delete(message.id)
  })
  return async () => {
    lastId += 1
    const answer = new Promise<string | null>((resolve) => waiting.set(lastId, resolve))
    process.send?.({ kind, id: lastId } satisfies Asked)
    const text = await answer
    if (text === null) throw new Error('A worker did not return its metrics in time.')
    return text
  }
}

function isOurs(message: unknown): message is Asked {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === kind
}
