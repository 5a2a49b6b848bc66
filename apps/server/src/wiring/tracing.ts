import { noTracing, traceStatements } from '../adapters/system/tracing.js'
import type { Config } from '../config/config.js'
import type { Database } from '../ports/database.js'
import type { Log } from '../ports/log.js'
import type { Tracing } from '../ports/tracing.js'
import { version } from '../version.js'

/** Composes tracing. If it is not configured, OpenTelemetry's packages are not loaded. */
export async function composeTracing(
  config: Config,
  {
    log,
    instanceId,
    database,
  }: { readonly log: Log; readonly instanceId: string; readonly database: Database },
): Promise<Tracing> {
  if (config.tracing === null) return noTracing
  const { makeTracing } = await import('../adapters/opentelemetry/opentelemetry-tracing.js')
  const tracing = makeTracing({ ...config.tracing, version, instanceId, log })
  traceStatements(tracing, database)
  return tracing
}
