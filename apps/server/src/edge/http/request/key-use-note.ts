import type { FastifyRequest } from 'fastify'
import { noteUse } from '../../../domain/access/api-keys.js'
import type { ApiKeyRecord } from '../../../ports/api-key-store.js'
import type { Services } from '../services.js'

/** Notes that a key was used, beside the request that used it. */
export type KeyUseNote = (key: ApiKeyRecord, request: FastifyRequest) => void

export function makeKeyUseNote({ database, clock }: Services): KeyUseNote {
  /** Of a hundred requests at once, which have all read the same row, one notes the key's use. */
  const beingNoted = new Set<string>()
  return (key, request) => {
    if (beingNoted.has(key.id)) return
    beingNoted.add(key.id)
    noteUse(database, clock, key)
      .catch((error) => request.log.warn({ err: error }, 'key use not noted'))
      .finally(() => beingNoted.delete(key.id))
  }
}
