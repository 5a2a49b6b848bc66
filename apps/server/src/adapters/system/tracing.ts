import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '../../ports/database.js'
import type { Span, Tracing } from '../../ports/tracing.js'

const nothing: Span = {
  isRecording: false,
  run: (work) => work(),
  rename: () => undefined,
  set: () => undefined,
  end: () => undefined,
}

const noHeaders = {}

/** Used if tracing is off. Loads no package and records nothing. */
export const noTracing: Tracing = {
  isRecording: false,
  begin: () => nothing,
  isWithinSpan: () => false,
  headers: () => noHeaders,
  apart: (work) => work(),
  close: async () => undefined,
}

/** The ids that link log lines to spans. */
export interface TraceIds {
  readonly traceId: string
  readonly spanId: string
}

/** The ids of the current span. Unset if tracing is off. */
export const currentTrace = new AsyncLocalStorage<TraceIds | null>()

/**
 * Returns additional fields for a log line. Each call returns a new object, because the logger adds to it.
 */
export function traceIdsForLog(): object {
  return { ...currentTrace.getStore() }
}

/**
 * Creates a child span for every statement within a span, named after its operation or its name. It contains
 * neither text nor values. Statements outside a span, such as polls, have none.
 */
export function traceStatements(tracing: Tracing, database: Pick<Database, 'observeStatements'>): void {
  if (!tracing.isRecording) return
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

/** The error code of PostgreSQL or of the system. It contains no values. */
function codeOf(failure: unknown): string {
  const code = failure instanceof Error && 'code' in failure ? failure.code : undefined
  return typeof code === 'string' ? code : '_OTHER'
}
