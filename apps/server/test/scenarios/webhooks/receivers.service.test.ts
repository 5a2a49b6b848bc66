import type { AuditLogRecord, Page, WebhookDelivery } from '@parley/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Behaviour } from '../../support/webhooks/receiver.js'
import { useWebhookService, webhookPath } from '../../support/webhooks/webhook-service.js'

const service = useWebhookService()
const { clock, hook, read, deliveries, makeTask, until } = service

// Without any webhook, the service checks for a new one only once a second.
beforeAll(async () => void (await hook('/never-told', { events: ['approval.expired'] })))

const minute = 60_000
const hour = 60 * minute

const firstOf = async (webhook: { readonly id: string }) => {
  const [delivery] = await deliveries(webhook)
  if (delivery === undefined) throw new Error('The webhook has no delivery.')
  return delivery
}

/** Advances the clock to the next attempt and waits until it is over. */
async function waitForNextAttempt(webhook: { readonly id: string }): Promise<WebhookDelivery> {
  const before = await firstOf(webhook)
  clock.advance(Math.max(0, Date.parse(before.nextAttemptAt ?? '') - clock.now().getTime()))
  // Any change wakes the delivery job. The test clock does not.
  const body = { name: `Attempt ${before.attemptCount}` }
  await service.client.call('PATCH', `${webhookPath}/${webhook.id}`, { body })
  await until(async () => expect((await firstOf(webhook)).attemptCount).toBe(before.attemptCount + 1))
  return firstOf(webhook)
}

describe('an attempt', () => {
  const outcomes: readonly (readonly [
    string,
    Behaviour,
    state: string,
    status: number | null,
    detail: RegExp,
  ])[] = [
    ['is taken', 204, 'delivered', 204, /accepted the delivery/],
    [
      'gets a slow response',
      (response) => setTimeout(() => response.writeHead(202).end('ok'), 300),
      'delivered',
      202,
      /accepted/,
    ],
    [
      'gets megabytes of response',
      (response) => void response.writeHead(200).end('x'.repeat(8_000_000)),
      'delivered',
      200,
      /accepted the delivery/,
    ],
    [
      'gets half a response',
      (response) => response.writeHead(200).write('half'),
      'delivered',
      200,
      /accepted/,
    ],
    ['is rejected', 400, 'pending', 400, /answered 400/],
    ['gets an error', 503, 'pending', 503, /answered 503/],
    [
      'is redirected',
      (response) => response.writeHead(307, { location: '/fine' }).end(),
      'pending',
      307,
      /Redirects are not followed/,
    ],
    [
      'is redirected as a GET',
      (response) => response.writeHead(302, { location: '/fine' }).end(),
      'pending',
      302,
      /Redirects are not followed/,
    ],
    ['gets no response', () => undefined, 'pending', null, /in time/],
    ['loses its connection', (response) => response.destroy(), 'pending', null, /did not answer properly/],
  ]

  test.each(outcomes)(
    'has the right outcome if it %s [HOOK-3]',
    async (title, behaviour, state, status, detail) => {
      const path = `/${title.replaceAll(' ', '-')}`
      service.receiver.behave(path, behaviour)
      const webhook = await hook(path)
      await makeTask()
      await until(async () => expect((await firstOf(webhook)).attemptCount).toBe(1))
      const delivery = await firstOf(webhook)
      expect(delivery).toMatchObject({ state, attempts: [{ responseStatus: status }] })
      expect(delivery.attempts[0]?.detail).toMatch(detail)
      expect(delivery.attempts[0]?.responseBody?.length ?? 0).toBeLessThanOrEqual(1000)
      expect(service.receiver.at(path)).toHaveLength(1)
      expect(service.receiver.at('/fine')).toEqual([])
      const shown = await read(webhook)
      expect(shown.failingSince).toEqual(state === 'delivered' ? null : expect.any(String))
      expect(shown).toMatchObject({ lastDelivery: { id: delivery.id, state, responseStatus: status } })
      expect(shown.waitingCount).toBe(state === 'delivered' ? 0 : 1)
      await service.client.call('DELETE', `${webhookPath}/${webhook.id}`)
    },
  )

  test('never goes to a forbidden address, whenever it was stored [HOOK-3]', async () => {
    const refused = await service.client.call('POST', webhookPath, {
      body: { name: 'Inside', url: 'http://127.0.0.1:9/', events: ['*'] },
    })
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toEqual([{ path: 'url', message: expect.stringContaining('PARLEY_ALLOWED') }])
    const webhook = await hook('/inside')
    const { webhooks } = service.running.service.database.stores
    const record = await webhooks.find(service.running.organizationId, webhook.id)
    if (record === null) throw new Error('The webhook is not in the database.')
    await webhooks.update({ ...record, url: 'http://127.0.0.1:9/' }, record.version)
    const { body } = await service.client.call<WebhookDelivery>('POST', `${webhookPath}/${webhook.id}/test`)
    expect(body).toMatchObject({ state: 'failed', attempts: [{ responseStatus: null }] })
    expect(body.attempts[0]?.detail).toMatch(/not a public address/)
  })
})

describe('a receiver that is unavailable for a day', { timeout: 60_000 }, () => {
  test('gets eleven attempts with growing pauses and new signatures before the delivery fails [HOOK-4]', async () => {
    service.receiver.behave('/gone-for-a-day', 500)
    const webhook = await hook('/gone-for-a-day')
    await makeTask()
    await until(async () => expect((await firstOf(webhook)).attemptCount).toBe(1))
    const pauses: number[] = []
    for (;;) {
      const { state, nextAttemptAt, attempts } = await firstOf(webhook)
      if (state !== 'pending') break
      pauses.push(Date.parse(nextAttemptAt ?? '') - Date.parse(attempts[0]?.at ?? ''))
      await waitForNextAttempt(webhook)
    }
    const expectedPauses = [
      5000,
      30_000,
      2 * minute,
      10 * minute,
      30 * minute,
      hour,
      2 * hour,
      4 * hour,
      8 * hour,
      8 * hour,
    ]
    expect(pauses).toHaveLength(expectedPauses.length)
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual((expectedPauses[index] ?? 0) * 0.8)
      expect(pause).toBeLessThanOrEqual((expectedPauses[index] ?? 0) * 1.2)
    }
    const delivery = await firstOf(webhook)
    expect(delivery).toMatchObject({ state: 'failed', attemptCount: 11, nextAttemptAt: null })
    expect(delivery.attempts).toHaveLength(11)
    const came = service.receiver.at('/gone-for-a-day')
    expect(new Set(came.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery.messageId]))
    expect(new Set(came.map(({ headers }) => headers['webhook-signature'])).size).toBe(11)
    expect((await read(webhook)).isEnabled).toBe(true)
  })

  test('can delay the next attempt with Retry-After [HOOK-4]', async () => {
    service.receiver.behave('/later', (response) => response.writeHead(429, { 'retry-after': '90' }).end())
    const webhook = await hook('/later')
    await makeTask()
    await until(async () => expect((await firstOf(webhook)).attemptCount).toBe(1))
    const { nextAttemptAt } = await firstOf(webhook)
    expect(Date.parse(nextAttemptAt ?? '') - clock.now().getTime()).toBeGreaterThanOrEqual(90_000)
    await service.client.call('DELETE', `${webhookPath}/${webhook.id}`)
  })
})

// These tests make many attempts one after the other, so they need time on a busy machine.
describe('the automatic disabling of a webhook', { timeout: 60_000 }, () => {
  const reasonsIn = async (id: string) => {
    const { body } = await service.client.call<Page<AuditLogRecord>>(
      'GET',
      '/api/v1/AuditLog?Action=webhook.disable',
    )
    return body.items.filter(({ resourceId }) => resourceId === id).map(({ details }) => details.reason)
  }

  test('follows a 410, is announced, and waiting deliveries continue when the webhook is enabled again [HOOK-5]', async () => {
    await hook('/watching-gone', { events: ['webhook.disabled'] })
    service.receiver.behave('/gone', 410)
    const webhook = await hook('/gone')
    await makeTask('For nobody')
    await until(async () => expect((await read(webhook)).isEnabled).toBe(false))
    const { disabledReason } = await read(webhook)
    expect(disabledReason).toMatch(/410/)
    expect(await reasonsIn(webhook.id)).toEqual([disabledReason])
    const [notification] = await service.receiver.received('/watching-gone', 1)
    expect(notification?.body).toMatchObject({
      type: 'webhook.disabled',
      data: { id: webhook.id, disabledReason },
    })
    expect(notification?.text).not.toContain('ealed')

    await makeTask('While it was off')
    service.receiver.behave('/gone', 204)
    clock.advance(hour)
    const on = await service.client.call('PATCH', `${webhookPath}/${webhook.id}`, {
      body: { isEnabled: true },
    })
    expect(on.body).toMatchObject({ isEnabled: true, disabledReason: null })
    const came = await service.receiver.received('/gone', 2)
    expect(came.map(({ body }) => body.data.title)).toEqual(['For nobody', 'For nobody'])
  })

  test('follows days of failure, and other webhooks are notified half an hour after the first one [HOOK-5]', async () => {
    await hook('/watching-days', { events: ['webhook.failing', 'webhook.disabled'] })
    service.receiver.behave('/dead', 500)
    const webhook = await hook('/dead')
    for (const quietDays of [0, 4]) {
      clock.advance(quietDays * 24 * hour)
      await makeTask()
      await until(async () => expect((await firstOf(webhook)).attemptCount).toBe(1))
      while ((await firstOf(webhook)).state === 'pending') await waitForNextAttempt(webhook)
    }
    const { isEnabled, disabledReason, failingSince } = await read(webhook)
    expect({ isEnabled, disabledReason }).toEqual({
      isEnabled: false,
      disabledReason: `All attempts have failed since ${failingSince}.`,
    })
    expect(clock.now().getTime() - Date.parse(failingSince ?? '')).toBeGreaterThanOrEqual(5 * 24 * hour)
    // Compares by id. A delivery that runs while the days pass counts as abandoned and may be sent twice.
    const announcedEvents = () =>
      service.receiver
        .at('/watching-days')
        .filter(({ body }) => body.data.id === webhook.id)
        .map(({ headers, body }) => [headers['webhook-id'], body.type] as const)
    await until(async () =>
      expect([...new Map(announcedEvents()).values()]).toEqual(['webhook.failing', 'webhook.disabled']),
    )
  })
})
