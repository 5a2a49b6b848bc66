import type { LiveEvent } from '@parley/sdk'
import { AuthenticationError } from '@parley/sdk'
import { describe, expect, test } from 'vitest'
import { useSdkService } from '../../support/sdk/sdk-service.js'

const service = useSdkService()

describe('parley.events.followChanges', () => {
  test('resumes automatically after every break and misses no change [LIVE-8]', async () => {
    const { parley, proxy } = service
    const leaving = new AbortController()
    proxy.failNext(
      { events: 1, ending: 'cut' },
      'drop-request',
      { status: 503 },
      { events: 1, ending: 'end' },
    )
    const types: LiveEvent['type'][] = []
    const titles = ['while it was away', 'while it was there']
    const wanted = new Set<string>()
    const stream = parley.events.followChanges({ signal: leaving.signal })
    for await (const event of stream) {
      types.push(event.type)
      if (event.type === 'ready' && titles.length > 0) {
        // Bypasses the proxy, which counts the requests of the stream.
        const { running } = service
        const body = { title: titles.shift() }
        wanted.add((await running.client.call<{ id: string }>('POST', '/api/v1/Task', { body })).body.id)
      }
      if (event.type === 'changed' && event.data.resource === 'Task') wanted.delete(event.data.id)
      if (titles.length === 0 && wanted.size === 0) break
    }
    expect(types.filter((type) => type === 'ready').length).toBeGreaterThanOrEqual(3)
    expect(types).not.toContain('reset')
    const followed = proxy.requests.map(({ headers }) => headers['last-event-id'])
    expect(followed[0]).toBeUndefined()
    expect(followed.slice(1)).not.toContain(undefined)
    expect(stream.lastEventId).toMatch(/^\d+-/)
  })

  test('throws if it is not authorized, and ends with its signal [LIVE-8]', async () => {
    const stranger = service.connect({ apiKey: 'nobody' }).events.followChanges()
    await expect(stranger[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(AuthenticationError)
    const leaving = new AbortController()
    const events = service.parley.events.followChanges({ signal: leaving.signal })[Symbol.asyncIterator]()
    await events.next()
    const next = events.next()
    leaving.abort(new Error('The page is closed.'))
    await expect(next).rejects.toThrow('The page is closed.')
  })
})
