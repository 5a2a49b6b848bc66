import { stdSerializers } from 'pino'

interface ShownError {
  readonly message: string
  readonly stack: string
  readonly params?: unknown
  readonly aggregateErrors?: readonly ShownError[]
}

/**
 * An error as the log shows it. A query that failed repeats its values in its message; they are what customers wrote
 * and secrets in their sealed form, so the log gets the query without them.
 */
export function errorForLog(error: Error): object {
  const shown: ShownError = stdSerializers.err(error)
  const values = valuesIn(error)
  return values.length === 0 ? shown : withoutValues(shown, values)
}

/** The values of failed queries, as messages spell them: of this error, of its cause and of those it gathers. */
function valuesIn(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const own = 'params' in error && Array.isArray(error.params) ? [String(error.params)] : []
  const gathered: unknown[] = error instanceof AggregateError ? error.errors : []
  return [...own, ...[error.cause, ...gathered].flatMap(valuesIn)]
}

function withoutValues(
  { params: _, aggregateErrors, ...shown }: ShownError,
  values: readonly string[],
): ShownError {
  const strip = (text: string) =>
    values.reduce((rest, value) => rest.replaceAll(`params: ${value}`, 'params: not shown'), text)
  return {
    ...shown,
    message: strip(shown.message),
    stack: strip(shown.stack),
    ...(aggregateErrors && { aggregateErrors: aggregateErrors.map((one) => withoutValues(one, values)) }),
  }
}
