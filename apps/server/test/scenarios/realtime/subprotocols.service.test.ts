import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestHandshake } from '../../support/realtime/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'

let service: RealtimeTestService

beforeAll(async () => {
  service = await startRealtimeService()
})

afterAll(() => service.close())

describe('the subprotocol of a socket', () => {
  const offers: readonly [string[], string | null][] = [
    [['realtime'], 'realtime'],
    [['realtime', 'openai-insecure-api-key.sk-subprotocol'], 'realtime'],
    [['openai-insecure-api-key.sk-subprotocol', 'openai-organization.me', 'realtime'], 'realtime'],
    [['openai-insecure-api-key.sk-subprotocol'], null],
    [['graphql-ws', 'Realtime'], null],
  ]
  test.each(offers)('answers the offer %j with %s [RT-3]', async (offered, selected) => {
    const { webSocketPath } = await service.createTicket()
    const answer = await requestHandshake(service.url, webSocketPath, offered)
    expect(answer.status).toBe(101)
    expect(answer.headers.get('sec-websocket-protocol')).toBe(selected)
    expect(service.log.join('')).not.toContain('sk-subprotocol')
  })
})
