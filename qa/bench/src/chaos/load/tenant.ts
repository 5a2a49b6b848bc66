import type { Credentials } from '../../service/api.js'

/** An organization of the load, with what it talks to. */
export interface Tenant {
  readonly index: number
  readonly credentials: Credentials
  readonly voiceAgentId: string
  readonly textAgentId: string
}
