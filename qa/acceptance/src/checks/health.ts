import type { Check } from '../check.js'
import { expectEqual, expectThat } from '../expectations.js'

export const healthChecks: readonly Check[] = [
  {
    title: 'the service is alive and ready',
    look: 'whether the service runs and reaches its database and Redis: its log, parley doctor, and the target of the proxy',
    async run(visit) {
      const health = await visit.send('/healthz')
      expectEqual([health.status, health.text], [200, '{"status":"ok"}'], '/healthz')
      const ready = await visit.send('/readyz')
      expectEqual(ready.status, 200, 'the status of /readyz')
      const { status, redis, detail }: { status?: string; redis?: string; detail?: string } = JSON.parse(
        ready.text,
      )
      expectEqual(status, 'ready', 'the status that /readyz reports')
      expectThat(redis !== 'away', 'Redis connected, if it is configured', detail)
    },
  },
  {
    title: 'the contract is served',
    look: 'whether the proxy forwards all paths: /openapi.json and /asyncapi.json',
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
        'the operations of the API in /openapi.json',
        Object.keys(openapi.paths ?? {}),
      )
      expectEqual((await visit.send('/asyncapi.json')).status, 200, 'the status of /asyncapi.json')
    },
  },
  {
    title: 'responses have the id of their request and the rate limits',
    look: 'whether the proxy forwards the headers X-Request-Id and RateLimit-* in both directions',
    async run(visit) {
      const { headers } = await visit.send('/api/v1/Agent?Limit=1')
      expectEqual(headers.get('x-request-id'), visit.requestIds.at(-1), 'the X-Request-Id of the request')
      for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
        expectThat(/^\d+$/.test(headers.get(name) ?? ''), `a number in ${name}`, headers.get(name))
    },
  },
]
