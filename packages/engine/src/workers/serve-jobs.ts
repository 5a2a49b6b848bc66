import { parentPort } from 'node:worker_threads'
import { MissingPackage } from '../runtime/optional-package.js'
import type { Order, Report } from './worker-message.js'

export type Work = (input: never) => unknown
export type Progress = (line: string) => void

/**
 * The worker's side: loads once, then runs one job after the other. If a package is missing, every job that arrived
 * during loading gets that result.
 */
export function serveJobs(load: (progress: Progress) => Promise<Work>): void {
  const port = parentPort
  if (port === null) throw new Error('This file must run as a worker thread.')
  const report = (message: Report) => port.postMessage(message)
  const loaded = load((text) => report({ kind: 'progress', text })).then(
    (work) => {
      report({ kind: 'ready' })
      return work
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      // Do not retry: packages are not installed while the process runs.
      report({
        kind: 'unavailable',
        message:
          error instanceof MissingPackage ? message : `The speech model could not be loaded: ${message}`,
      })
      return null
    },
  )
  let last: Promise<unknown> = loaded
  let isEnding = false
  port.on('message', (order: Order) => {
    if (order.kind === 'end') {
      isEnding = true
      void last.then(() => process.exit())
      return
    }
    last = last.then(async () => {
      const work = await loaded
      if (work !== null && !isEnding) report(await doJob(work, order))
    })
  })
}

async function doJob(work: Work, { id, input }: Extract<Order, { kind: 'job' }>): Promise<Report> {
  try {
    return { kind: 'result', id, value: await work(input as never) }
  } catch (error) {
    return { kind: 'failure', id, message: error instanceof Error ? error.message : String(error) }
  }
}
