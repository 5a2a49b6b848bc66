import type { Check } from '../check.js'
import { expectEqual, expectThat } from '../expectations.js'

export const healthChecks: readonly Check[] = [
  {
    title: 'the service lives and is ready',
    look: 'whether it runs and reaches its database and Redis: its log, parley doctor; behind a proxy, where that leads',
    async run(visit) {
      const health = await visit.send('/healthz')
      expectEqual([health.status, health.text], [200, '{"status":"ok"}'], '/healthz')
      const ready = await visit.send('/readyz')
      expectEqual(ready.status, 200, 'the status of /readyz')
      const { status, redis, detail }: { status?: string; redis?: string; detail?: string } = JSON.parse(
        ready.text,
      )
      expectEqual(status, 'ready', 'the status that /readyz tells')
      expectThat(redis !== 'away', 'Redis connected, where there is one', detail)
    },
  },
  {
    title: 'the contract is served',
    look: 'whether the proxy passes on all paths: /openapi.json and /asyncapi.json',
    async run(visit) {
      const openapi: { openapi?: string; paths?: object } = JSON.parse(
        (await visit.send('/openapi.json')).text,
      )
      expectThat(
        openapi.openapi?.startsWith('3.1') === true,
        '/openapi.json in OpenAPI 3.1',
        openapi.openapi ?? 'something else',
      )
      expectThat(
        '/api/v1/Agent/{agentId}/realtime-session' in (openapi.paths ?? {}),
        'the calls of the API in /openapi.json',
        Object.keys(openapi.paths ?? {}),
      )
      expectEqual((await visit.send('/asyncapi.json')).status, 200, 'the status of /asyncapi.json')
    },
  },
  {
    title: 'answers carry the id of their request and the limits',
    look: 'whether the proxy passes the headers X-Request-Id and RateLimit-* on, both ways',
    async run(visit) {
      const { headers } = await visit.send('/api/v1/Agent?Limit=1')
      expectEqual(headers.get('x-request-id'), visit.requestIds.at(-1), 'X-Request-Id as it was sent')
      for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
        expectThat(/^\d+$/.test(headers.get(name) ?? ''), `a number in ${name}`, headers.get(name))
    },
  },
]
