import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { removeOverdueRows } from '../../support/overdue-rows.js'
import { startBackend } from '../../support/process/backend-process.js'
import { useWebhookService, webhookPath } from '../../support/webhooks/webhook-service.js'

const example = fileURLToPath(new URL('../../../../../examples/webhook/receiver.mjs', import.meta.url))
const day = 24 * 60 * 60 * 1000

const service = useWebhookService({
  clock: { now: () => new Date() },
  env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
})

describe('old deliveries', () => {
  test('old deliveries are kept for a limited time, including those that still wait [HOOK-9]', async () => {
    const { database } = service.running.service
    const delivered = await service.hook('/kept')
    service.receiver.behave('/waits', 500)
    const waiting = await service.hook('/waits')
    await service.makeTask()
    await service.receiver.received('/waits', 1)
    await service.until(async () =>
      expect(await service.deliveries(delivered)).toMatchObject([{ state: 'delivered' }]),
    )
    const after = (days: number) => ({ now: () => new Date(Date.now() + days * day) })
    expect((await removeOverdueRows(database, after(29))).webhookDeliveries).toBe(0)
    expect((await removeOverdueRows(database, after(31))).webhookDeliveries).toBe(2)
    expect([await service.deliveries(delivered), await service.deliveries(waiting)]).toEqual([[], []])
  })
})

describe('the receiver of the examples', () => {
  test('accepts only genuine deliveries [HOOK-10]', async () => {
    const hook = await service.hook('/elsewhere')
    const url = await startBackend(example, {
      PATH: process.env.PATH,
      PORT: '0',
      WEBHOOK_SECRET: hook.secret,
    })
    const path = `${webhookPath}/${hook.id}`
    await service.client.call('PATCH', path, { body: { url } })
    const statusOfTest = async () => {
      const { body } = await service.client.call<{ attempts: { responseStatus: number }[] }>(
        'POST',
        `${path}/test`,
      )
      return body.attempts[0]?.responseStatus
    }
    expect(await statusOfTest()).toBe(204)
    await service.client.call('POST', `${path}/rotate-secret`)
    expect(await statusOfTest()).toBe(204)
    const stranger = await service.hook('/stranger')
    await service.client.call('PATCH', `${webhookPath}/${stranger.id}`, { body: { url } })
    const { body } = await service.client.call('POST', `${webhookPath}/${stranger.id}/test`)
    expect(body).toMatchObject({ state: 'failed', attempts: [{ responseStatus: 401 }] })
  })
})
