import type { Problem } from '@parley/contract'
import { afterAll, beforeAll, expect } from 'vitest'
import type { ApiClient } from '../api-client.js'
import { addOrganization } from '../organizations.js'
import { type RunningService, startService, type TestServiceOptions } from '../start-service.js'
import { headersOf } from './operation-requests.js'
import { type RawAnswer, type RawRequest, send } from './send.js'

export const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export interface ServiceInUse {
  readonly running: RunningService
  readonly client: ApiClient
  /** The headers of a caller with every scope. */
  readonly headers: Record<string, string>
  call(request: RawRequest): Promise<RawAnswer>
  /** A caller with every scope in a new organization. */
  newOrganization(): Promise<ApiClient>
  /** Sends a request that must fail, and returns its error. */
  mistakesIn(method: string, path: string, body: object): Promise<Problem['errors']>
}

/** Starts the service before the tests of a group and stops it after them. */
export function useService(options: TestServiceOptions = {}): ServiceInUse {
  let running: RunningService

  beforeAll(async () => {
    running = await startService(options)
  })

  afterAll(() => running.close())

  return {
    get running() {
      return running
    },
    get client() {
      return running.client
    },
    get headers() {
      return headersOf(running)
    },
    call: (request) => send(running.url, request),
    newOrganization: async () => running.client.as(await addOrganization(running)),
    async mistakesIn(method, path, body) {
      const answer = await running.client.call<Problem>(method, path, { body })
      expect(answer.status, answer.text).toBe(400)
      return answer.body.errors
    },
  }
}
