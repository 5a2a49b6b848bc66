import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { apiAddress, connectionAddress } from '@parley/contract'
import type { Connection } from '@parley/sdk'
import { UsageError } from '@parley/terminal'
import { startPlayer } from './replay/player.js'
import { type Recorder, startRecorder } from './replay/recorder.js'
import type { MakeConcealer } from './replay/scrubber.js'
import type { PlannedTest } from './test-plan.js'

/**
 * Serves the requests of connections in place of their providers. Either forwards them to the providers and
 * records the responses, or replays a recording.
 */
export interface ProviderTraffic {
  readonly kind: 'recorded' | 'replayed'
  /** Returns the URL that one run uses for a connection. */
  baseUrlFor(scope: string, connection: Pick<Connection, 'kind' | 'baseUrl'>): Promise<string>
  /** Stops serving requests. Returns the differences between the runs and the recording. */
  close(): Promise<readonly string[]>
}

/** Returns null if the runs call the providers directly. */
export async function openTraffic(
  { record, replay }: { readonly record?: string; readonly replay?: string },
  conceal: MakeConcealer,
): Promise<ProviderTraffic | null> {
  if (record !== undefined) return makeRecorders(record, conceal)
  if (replay === undefined) return null
  const player = await startPlayer({ directory: replay })
  return {
    kind: 'replayed',
    baseUrlFor: async (scope, { kind }) => addressOf(kind, player.baseUrlFor(scope)),
    async close() {
      await player.close()
      return player.problems()
    },
  }
}

/** Starts one recorder for each provider. */
function makeRecorders(directory: string, conceal: MakeConcealer): ProviderTraffic {
  const recorders = new Map<string, Promise<Recorder>>()
  return {
    kind: 'recorded',
    async baseUrlFor(scope, connection) {
      const address = connectionAddress(connection)
      if (address === null) throw new UsageError('A connection without an address cannot be recorded.')
      const url = apiAddress(connection.kind, address)
      const recorder = recorders.get(url) ?? startRecorder({ directory, upstream: { url }, conceal })
      recorders.set(url, recorder)
      return addressOf(connection.kind, (await recorder).baseUrlFor(scope))
    },
    async close() {
      for (const recorder of recorders.values()) await (await recorder).close()
      return []
    },
  }
}

/** The address of an Azure resource does not include the path of its API. */
function addressOf(kind: Connection['kind'], baseUrl: string): string {
  return kind === 'azure-openai' ? baseUrl.replace(/\/v1$/, '') : baseUrl
}

const longestPart = 40

/** Returns the name of one run in a recording. It does not depend on the folder of the test file. */
export function scopeOf({ file, name, agent }: PlannedTest, run: number): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([basename(file), agent, name]))
    .digest('hex')
  return `${slug(name)}-${hash.slice(0, 8)}-${run}`
}

/** Each connection has its own scope, because connections may have different providers. */
export function scopeOfConnection(
  scope: string,
  { externalId, name }: Pick<Connection, 'externalId' | 'name'>,
): string {
  return `${scope}-${slug(externalId ?? name)}`
}

function slug(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? ['test']
  return words.join('-').slice(0, longestPart)
}
