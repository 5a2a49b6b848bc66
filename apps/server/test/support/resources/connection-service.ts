import type { Connection } from '@parley/contract'
import { expect } from 'vitest'
import { makeCipher } from '#server/adapters/system/cipher.js'
import { secretContext } from '#server/domain/connections/chat-target.js'
import type { ConnectionRecord } from '#server/ports/agent-stores.js'
import type { ApiClient } from '../api-client.js'
import { type ServiceInUse, useService } from '../http/use-service.js'
import { makeTestClock, type TestClock } from '../test-clock.js'

export const secret = 'the secret that seals keys of providers'
export const cipher = makeCipher(secret)

export const connectionPath = '/api/v1/Connection'
export const at = (connection: { readonly id: string }) => `${connectionPath}/${connection.id}`

export interface ConnectionService {
  readonly clock: TestClock
  readonly http: ServiceInUse
  create(fields?: object, by?: ApiClient): Promise<Connection>
  change(method: string, to: Connection, body: object, by?: ApiClient): Promise<Connection>
  recordOf(connection: Connection): Promise<ConnectionRecord>
  /** Returns the stored key, decrypted the way the service does it. */
  keyOf(connection: Connection): Promise<string | null>
}

export function useConnectionService(): ConnectionService {
  const clock = makeTestClock()
  const env = { PARLEY_SECRET: secret, PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1:9001,models.localhost' }
  const http = useService({ clock, env })

  async function recordOf({ id }: Connection): Promise<ConnectionRecord> {
    const { running } = http
    const record = await running.service.database.stores.connections.find(running.organizationId, id)
    if (record === null) throw new Error('The connection is not in the database.')
    return record
  }

  return {
    clock,
    http,
    async create(fields = {}, by = http.client) {
      const body = { name: 'Provider', kind: 'openai', ...fields }
      const answer = await by.call<Connection>('POST', connectionPath, { body })
      expect(answer.status, answer.text).toBe(201)
      return answer.body
    },
    async change(method, to, body, by = http.client) {
      const answer = await by.call<Connection>(method, at(to), { body })
      expect(answer.status, answer.text).toBe(200)
      return answer.body
    },
    recordOf,
    async keyOf(connection) {
      const record = await recordOf(connection)
      return record.sealedApiKey === null ? null : cipher.open(record.sealedApiKey, secretContext(record))
    },
  }
}
