import { afterAll, describe, expect, test } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newPostgres,
  patiently,
  slow,
  startParley,
} from '../../support/process/parley-process.js'

afterAll(cleanUp, slow.timeout)

describe('a service whose log is no longer read', () => {
  test.each([
    ['every line was read', false],
    // If unread data is left in a socket, the other end is reset instead of closed.
    ['lines were left unread', true],
  ])('keeps serving and ends at a signal: %s [OPS-11]', slow, async (_, isLeftUnread) => {
    const parley = await startParley({ env: { ...bootstrap, ...(await newPostgres()) } })
    const client = makeApiClient(await parley.ready(), credentials)
    const ask = async () => (await client.call('GET', '/api/v1/Agent')).status
    if (isLeftUnread) {
      parley.child.stdout?.removeAllListeners('data').pause()
      expect(await ask()).toBe(200)
    }
    parley.child.stdout?.destroy()
    for (let count = 0; count < 5; count += 1) expect(await ask()).toBe(200)
    await expect.poll(parley.stderr, patiently).toMatch(/^Standard output was closed\..*$/m)
    parley.signal('SIGTERM')
    expect(await parley.ended).toEqual({ code: 0, signal: null })
  })
})
