import { provenVersions } from './fast/direct-connection.js'
import { selfCheck } from './self-check.js'

/** The ways of reading and writing sockets: the public API of `ws`, or a faster path below Node's streams. */
export type RelayIo = 'ws' | 'fast'

export interface ChosenIo {
  readonly io: RelayIo
  /** Why it is not the requested one, or null if it is. */
  readonly reason: string | null
}

export interface ChooseOptions {
  readonly nodeVersion?: string
  /** Returns why the fast path does not work here, or null if it does. */
  readonly check?: () => Promise<string | null>
}

/** Allows the fast path only on versions of Node that it was tested on, and if its self-check succeeds. */
export async function chooseRelayIo(
  wanted: RelayIo,
  { nodeVersion = process.versions.node, check = selfCheck }: ChooseOptions = {},
): Promise<ChosenIo> {
  if (wanted === 'ws') return { io: 'ws', reason: null }
  if (!provenVersions.includes(nodeVersion.split('.')[0] ?? ''))
    return { io: 'ws', reason: `The fast path was not tested on Node ${nodeVersion}.` }
  const failure = await check().catch((error: unknown) => String(error))
  return failure === null ? { io: 'fast', reason: null } : { io: 'ws', reason: failure }
}
