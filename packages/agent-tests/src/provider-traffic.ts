import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { apiAddress, connectionAddress } from '@parley/contract'
import type { Connection } from '@parley/sdk'
import { UsageMistake } from '@parley/terminal'
import { startPlayer } from './replay/player.js'
import { type Recorder, startRecorder } from './replay/recorder.js'
import type { MakeConcealer } from './replay/scrubber.js'
import type { PlannedTest } from './test-plan.js'

/** What stands in for the providers of connections: it keeps what they say, or says what was kept. */
export interface ProviderTraffic {
  readonly kind: 'recorded' | 'replayed'
  /** The address of a connection of one run. */
  baseUrlFor(scope: string, connection: Pick<Connection, 'kind' | 'baseUrl'>): Promise<string>
  /** Ends it, and tells where a run did something else than the one that was recorded. */
  close(): Promise<readonly string[]>
}

/** null where providers are asked themselves. */
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

/** A recorder for each provider, as it has one behind it. */
function makeRecorders(directory: string, conceal: MakeConcealer): ProviderTraffic {
  const recorders = new Map<string, Promise<Recorder>>()
  return {
    kind: 'recorded',
    async baseUrlFor(scope, connection) {
      const address = connectionAddress(connection)
      if (address === null) throw new UsageMistake('A connection that leads nowhere cannot be recorded.')
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

/** An Azure resource is named without the path to its API. */
function addressOf(kind: Connection['kind'], baseUrl: string): string {
  return kind === 'azure-openai' ? baseUrl.replace(/\/v1$/, '') : baseUrl
}

const longestPart = 40

/** The name of one run in a recording, the same wherever the files are. */
export function scopeOf({ file, name, agent }: PlannedTest, run: number): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([basename(file), agent, name]))
    .digest('hex')
  return `${slug(name)}-${hash.slice(0, 8)}-${run}`
}

/** Connections have their traffic apart: each may lead to another provider. */
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
