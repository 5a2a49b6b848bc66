import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { ApiAnswer } from '../../support/api-client.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import { joinInstance } from '../../support/questions/instances.js'
import { databaseKinds } from '../../support/start-service.js'
import { useWebhookService, webhookPath } from '../../support/webhooks/webhook-service.js'

const env = { PARLEY_WEBHOOK_TIMEOUT_SECONDS: '30' }

// A busy machine is slow.
const patient = { timeout: 60_000 }

describe.each(databaseKinds)('receivers that hang, on %s', patient, (database) => {
  const service = useWebhookService({ database, env })

  test('hanging receivers do not delay others and have few concurrent attempts [HOOK-8]', async () => {
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

  test('hanging receivers share their four slots with tests of a webhook, which are rejected beyond them [HOOK-7] [HOOK-8]', async () => {
    const { receiver, client, hook, makeTask, until } = service
    const open: ServerResponse[] = []
    receiver.behave('/probed', (response) => void open.push(response))
    const webhook = await hook('/probed')
    await hook('/beside')
    const refused: ApiAnswer<unknown>[] = []
    const probe = async () => {
      const answer = await client.call('POST', `${webhookPath}/${webhook.id}/test`)
      if (answer.status !== 200) refused.push(answer)
      return answer.status
    }
    const probes = Promise.all(Array.from({ length: 10 }, probe))
    await until(async () => expect(refused).toHaveLength(6))
    for (const answer of refused) {
      expectProblem(answer, 'RateLimited')
      expect(answer.headers.get('retry-after')).toBe('30')
    }
    for (const _ of [1, 2, 3]) await makeTask()
    await receiver.received('/beside', 3)
    expect(await receiver.received('/probed', 4)).toHaveLength(4)
    receiver.behave('/probed', 204)
    for (const response of open) response.writeHead(204).end()
    expect((await probes).filter((status) => status === 200)).toHaveLength(4)
    await receiver.received('/probed', 7)
    expect(await probe()).toBe(200)
  })
})

describe('two instances', () => {
  const service = useWebhookService({ env })

  test('two instances share the work, and one of them makes each delivery [HOOK-8]', async () => {
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
