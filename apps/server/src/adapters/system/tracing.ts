import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '../../ports/database.js'
import type { Span, Tracing } from '../../ports/tracing.js'

const nothing: Span = {
  isOn: false,
  run: (work) => work(),
  rename: () => undefined,
  set: () => undefined,
  end: () => undefined,
}

const noHeaders = {}

/** Where nothing is traced: no package is loaded for it, and nothing is kept. */
export const noTracing: Tracing = {
  isOn: false,
  begin: () => nothing,
  isWithinSpan: () => false,
  headers: () => noHeaders,
  apart: (work) => work(),
  close: async () => undefined,
}

/** By which names log lines say what they are a part of. */
export interface TraceIds {
  readonly traceId: string
  readonly spanId: string
}

/** The ids of the current span. Unset if tracing is off. */
export const currentTrace = new AsyncLocalStorage<TraceIds | null>()

/** What a log line gets besides its own fields; they are added to the object that this returns. */
export function traceIdsForLog(): object {
  return { ...currentTrace.getStore() }
}

/**
 * Every statement in the work of a span as a span of its own, by its operation and its name. Neither text nor values are
 * told. Statements of no span, such as polls, have none.
 */
export function traceStatements(tracing: Tracing, database: Pick<Database, 'observeStatements'>): void {
  if (!tracing.isOn) return
  database.observeStatements(({ operation, name }) => {
    if (!tracing.isWithinSpan()) return ignore
    const span = tracing.begin({
      name: name ?? operation,
      kind: 'client',
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': operation.toUpperCase(),
        'db.query.summary': name ?? undefined,
      },
    })
    return ({ failure }) => {
      if (failure !== null) span.set({ 'error.type': codeOf(failure) })
      span.end(failure === null ? null : 'the statement failed')
    }
  })
}

const ignore = () => undefined

/** The code of PostgreSQL or of the system, which names no value. */
function codeOf(failure: unknown): string {
  const code = failure instanceof Error && 'code' in failure ? failure.code : undefined
  return typeof code === 'string' ? code : '_OTHER'
}
