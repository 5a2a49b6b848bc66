import type { Credentials } from '@parley/stage/service/api'

/** An organization of the load, with its agents. */
export interface Tenant {
  readonly index: number
  readonly credentials: Credentials
  readonly voiceAgentId: string
  readonly textAgentId: string
}
