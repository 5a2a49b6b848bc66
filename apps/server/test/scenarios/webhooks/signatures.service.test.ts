import type { CreatedWebhook } from '@parley/contract'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { ReceivedDelivery } from '../../support/webhooks/receiver.js'
import { useWebhookService, webhookPath } from '../../support/webhooks/webhook-service.js'

// The library that verifies signatures compares their time with the system's clock.
const offset = { milliseconds: 0 }
const clock = { now: () => new Date(Date.now() + offset.milliseconds) }
const service = useWebhookService({ clock })

const verified = (secret: string, { text, headers }: ReceivedDelivery): unknown =>
  new StandardWebhook(secret).verify(text, {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  })

const signaturesOf = ({ headers }: ReceivedDelivery) => String(headers['webhook-signature']).split(' ')

async function nextDelivery(path: string): Promise<ReceivedDelivery> {
  const before = service.receiver.at(path).length
  await service.makeTask()
  const delivery = (await service.receiver.received(path, before + 1)).at(-1)
  if (delivery === undefined) throw new Error('No delivery arrived.')
  return delivery
}

describe('the secret of a webhook', () => {
  test('signs deliveries as Standard Webhooks specifies, and is shown only once [HOOK-1]', async () => {
    const webhook = await service.hook('/signed')
    const delivery = await nextDelivery('/signed')
    expect(verified(webhook.secret, delivery)).toEqual(delivery.body)
    expect(delivery.headers['content-type']).toBe('application/json')
    const tampered = { ...delivery, text: delivery.text.replace('plants', 'planks') }
    expect(() => verified(webhook.secret, tampered)).toThrow('No matching signature')
    const answers = await Promise.all(
      ['', `/${webhook.id}`, `/${webhook.id}/delivery`].map((path) =>
        service.client.call('GET', `${webhookPath}${path}`),
      ),
    )
    for (const { text } of answers) expect(text).not.toContain(webhook.secret.slice(6))
    const { stores } = service.running.service.database
    const stored = await stores.webhooks.find(service.running.organizationId, webhook.id)
    expect(JSON.stringify(stored)).not.toContain(webhook.secret.slice(6))
  })

  test('can be rotated: both secrets sign for a day, then only the new one [HOOK-1]', async () => {
    const { id, secret: old } = await service.hook('/rotated')
    const rotated = await service.client.call<z.output<typeof CreatedWebhook>>(
      'POST',
      `${webhookPath}/${id}/rotate-secret`,
    )
    const { secret, previousSecretExpiresAt } = rotated.body
    expect(secret).not.toBe(old)
    const day = 24 * 60 * 60 * 1000
    expect(Date.parse(previousSecretExpiresAt ?? '') - clock.now().getTime()).toBeGreaterThan(day - 60_000)
    const both = await nextDelivery('/rotated')
    expect(signaturesOf(both)).toHaveLength(2)
    expect(verified(secret, both)).toEqual(both.body)
    expect(verified(old, both)).toEqual(both.body)

    offset.milliseconds = day
    const one = await nextDelivery('/rotated')
    offset.milliseconds = 0
    expect(signaturesOf(one)).toHaveLength(1)
    const { text, headers } = one
    const at = new Date(Number(headers['webhook-timestamp']) * 1000)
    const sign = (by: string) => new StandardWebhook(by).sign(String(headers['webhook-id']), at, text)
    expect(signaturesOf(one)).toEqual([sign(secret)])
    expect(sign(old)).not.toBe(sign(secret))
  })
})

describe('a test event', () => {
  test.each([
    ['is taken', 200, 'delivered'],
    ['is rejected', 401, 'failed'],
  ] as const)("returns the receiver's response if it %s [HOOK-7]", async (title, status, state) => {
    const path = `/test-${title.replaceAll(' ', '-')}`
    service.receiver.behave(path, (response) => response.writeHead(status).end('So be it.'))
    const webhook = await service.hook(path, { isEnabled: false })
    const answer = await service.client.call('POST', `${webhookPath}/${webhook.id}/test`)
    expect(answer.body).toMatchObject({
      ...{ type: 'webhook.test', state, attemptCount: 1, nextAttemptAt: null },
      attempts: [{ responseStatus: status, responseBody: 'So be it.' }],
    })
    const [delivery] = await service.receiver.received(path, 1)
    if (delivery === undefined) throw new Error('No delivery arrived.')
    expect(verified(webhook.secret, delivery)).toMatchObject({
      type: 'webhook.test',
      data: { id: webhook.id },
    })
    expect(await service.deliveries(webhook)).toEqual([answer.body])
  })
})

describe('redelivery', () => {
  test('sends one delivery, or all since a time, with the same id [HOOK-6]', async () => {
    service.receiver.behave('/again', 410)
    const webhook = await service.hook('/again')
    await service.makeTask('First')
    await service.receiver.received('/again', 1)
    await service.until(async () => expect((await service.read(webhook)).isEnabled).toBe(false))
    service.receiver.behave('/again', 204)
    await service.client.call('PATCH', `${webhookPath}/${webhook.id}`, { body: { isEnabled: true } })
    const [first] = await service.deliveries(webhook)
    // The delivery waits for its next attempt. A request sends it immediately.
    const asked = await service.client.call(
      'POST',
      `${webhookPath}/${webhook.id}/delivery/${first?.id}/redeliver`,
    )
    expect(asked.status).toBe(202)
    expect(asked.body).toMatchObject({ state: 'pending', attemptCount: 0 })
    await service.receiver.received('/again', 2)
    await service.makeTask('Second')
    await service.receiver.received('/again', 3)
    await service.until(async () =>
      expect((await service.deliveries(webhook, '?State=delivered')).length).toBe(2),
    )
    const redeliver = (body: object) =>
      service.client.call('POST', `${webhookPath}/${webhook.id}/redeliver`, { body })
    expect((await redeliver({ since: first?.createdAt, state: 'failed' })).body).toEqual({ count: 0 })
    expect((await redeliver({ since: '2100-01-01T00:00:00Z' })).body).toEqual({ count: 0 })
    expect((await redeliver({ since: first?.createdAt })).body).toEqual({ count: 2 })
    const came = await service.receiver.received('/again', 5)
    expect(came.map(({ body }) => body.data.title).sort()).toEqual([
      ...['First', 'First', 'First'],
      ...['Second', 'Second'],
    ])
    expect(new Set(came.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  })
})
