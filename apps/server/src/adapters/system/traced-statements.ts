import type { Database } from '../../ports/database.js'
import type { Tracing } from '../../ports/tracing.js'

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
