import { describe, expect, test } from 'vitest'
import { joinInstance } from '../../support/questions/instances.js'
import { databaseKinds } from '../../support/start-service.js'
import { useWebhookService } from '../../support/webhooks/webhook-service.js'

const env = { PARLEY_WEBHOOK_TIMEOUT_SECONDS: '30' }

// Patient, as a crowded machine is slow.
const patient = { timeout: 60_000 }

describe.each(databaseKinds)('[HOOK-8] receivers that hang, on %s', patient, (database) => {
  const service = useWebhookService({ database, env })

  test('hold nobody up: the others have theirs, and few attempts are under way to those that hang', async () => {
    for (const path of ['/hangs-1', '/hangs-2']) {
      service.receiver.behave(path, () => undefined)
      await service.hook(path)
    }
    const working = ['/works-1', '/works-2', '/works-3', '/works-4']
    for (const path of working) await service.hook(path)
    const count = 20
    for (let made = 0; made < count; made += 4) await Promise.all([1, 2, 3, 4].map(() => service.makeTask()))
    for (const path of working) {
      const came = await service.receiver.received(path, count)
      expect(new Set(came.map(({ headers }) => headers['webhook-id'])).size).toBe(count)
      expect(came).toHaveLength(count)
    }
    for (const path of ['/hangs-1', '/hangs-2']) expect(service.receiver.at(path)).toHaveLength(4)
  })
})

describe('[HOOK-8] two instances', () => {
  const service = useWebhookService({ env })

  test('share the work: everything is delivered, by one of them', async () => {
    const { running, receiver } = service
    const other = await joinInstance(running, running.databaseUrl ?? '', {
      clock: service.clock,
      env: { ...env, PARLEY_ALLOWED_PRIVATE_HOSTS: receiver.host },
    })
    receiver.behave('/shared', (response) => setTimeout(() => response.writeHead(204).end(), 20))
    const webhook = await service.hook('/shared')
    const tasks = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        service.makeTask(`${index}`, index % 2 === 0 ? running.client : other.client),
      ),
    )
    await receiver.received('/shared', tasks.length)
    await service.until(async () => expect((await service.read(webhook)).waitingCount).toBe(0))
    const came = receiver.at('/shared').map(({ body }) => String(body.data.id))
    expect(came.sort()).toEqual([...tasks].sort())
  })
})
