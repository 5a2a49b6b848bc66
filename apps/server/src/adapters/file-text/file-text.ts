import type { ChildProcess } from 'node:child_process'
import { FairQueue } from '../../concurrency/fair-queue.js'
import type { FileText, ReadOutcome } from '../../ports/file-text.js'
import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/time.js'
import { readApart } from './read-apart.js'
import { readPlainText } from './read-plain-text.js'
import { recognize } from './recognize.js'
import { makeTextCheck } from './text-check.js'

const readApartTypes: readonly string[] = [
  'text/html',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
]

const defaults = {
  maxMilliseconds: 30_000,
  maxCharacters: 20_000_000,
  maxHeapMegabytes: 768,
  maxMemoryBytes: 1024 * 1024 * 1024,
  /**
   * The limits for files that are read at the same time, each in its own process, and for queued files. One
   * organization may not use all slots. Otherwise its slow files could block all other organizations until
   * the time limit.
   */
  atOnce: 3,
  atOncePerOwner: 2,
  maxWaiting: 200,
  maxWaitingPerOwner: 20,
  maxWaitMilliseconds: 60_000,
}

export interface FileTextDependencies {
  readonly log: Log
  readonly timers: Timers
}

/** Reads plain text here, in pieces. Formats that require a parser are read in a separate process. */
export function makeFileText(
  { log, timers }: FileTextDependencies,
  tuning: Partial<typeof defaults> = {},
): FileText {
  const limits = { ...defaults, ...tuning }
  const slots = new FairQueue(timers, limits)
  const readers = new Set<ChildProcess>()

  const onStart = (child: ChildProcess) => {
    readers.add(child)
    child.once('exit', () => readers.delete(child))
  }

  return {
    recognize,
    checkText: makeTextCheck,
    async read(request): Promise<ReadOutcome> {
      if (!readApartTypes.includes(request.contentType)) return readPlainText(request)
      const read = await slots.run(request.organizationId, () => {
        request.signal.throwIfAborted()
        return readApart({ log, timers, limits, onStart }, request)
      })
      return read.ok ? read.value : { kind: 'busy' }
    },
    async close() {
      for (const child of readers) child.kill('SIGKILL')
    },
  }
}
