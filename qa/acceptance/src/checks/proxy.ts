import { lookup } from 'node:dns/promises'
import type { Check } from '../check.js'
import { sharedAgent, skipWithoutModel, timeQuestion } from '../common-agent.js'
import { expectEqual, expectProblem, expectThat } from '../expectations.js'
import { findRecord } from '../find-record.js'
import { largePicture } from '../large-picture.js'
import { isPublicAddress } from '../public-address.js'
import { createTicket, openTicket, sessionScopes } from '../realtime/ticket.js'
import type { Visit } from '../visit.js'
import { inTime } from '../waiting.js'

/** An unassigned address (RFC 5737). */
const foreignAddress = '203.0.113.77'
const unbuffered =
  'whether the proxy buffers responses: proxy_buffering in nginx, flush_interval in Caddy (deploy/)'

export const proxyChecks: readonly Check[] = [
  {
    title: 'the proxy forwards WebSockets',
    needs: sessionScopes,
    look: 'the headers Upgrade and Connection, and HTTP/1.1 to the service (deploy/nginx/parley.conf)',
    async run(visit) {
      const session = await openTicket(visit, await createTicket(visit))
      await session.next('session.created')
    },
  },
  {
    title: 'events arrive while their stream is open',
    needs: ['task:write'],
    look: unbuffered,
    async run(visit) {
      const events = visit.parley.events.followChanges({ signal: visit.signal })[Symbol.asyncIterator]()
      const next = async (expected: string) => {
        const step = await inTime(events.next(), {
          expected: `${expected}, while the stream is open`,
          withinSeconds: 5,
          got: () => 'nothing: something buffers the response',
        })
        return step.value
      }
      try {
        expectEqual((await next('the event ready'))?.type, 'ready', 'the first event')
        const { id } = await visit.parley.tasks.create({ title: `${visit.run.name} told` })
        for (;;) {
          const event = await next('an event of a change')
          if (event?.type === 'changed' && event.data.id === id) return
        }
      } finally {
        void events.return()
      }
    },
  },
  {
    title: 'the events of an answer arrive before it is complete',
    needs: ['agent:write', 'conversation:write', 'question:ask'],
    usesModel: true,
    timeoutSeconds: 60,
    look: unbuffered,
    async run(visit) {
      // The turn cannot end before a person decides, so every event before that arrived before the end.
      const stream = visit.parley.questions.stream(await sharedAgent(visit), { question: timeQuestion })
      const read = async () => {
        for await (const { type } of stream) if (type === 'approval.waiting') return type
        return 'the end of the answer, without a call of the tool'
      }
      const got = await inTime(read().catch(skipWithoutModel), {
        expected: 'events while the answer waits for a person',
        withinSeconds: 20,
        got: () => (stream.lastEventId === null ? 'none' : `events up to ${stream.lastEventId}`),
      })
      expectEqual(got, 'approval.waiting', 'the last event before the decision')
    },
  },
  {
    title: 'a file of the documented size is accepted',
    needs: ['file:write'],
    timeoutSeconds: 120,
    look: 'client_max_body_size, request_body: 21 MiB for files of 20 MiB (PARLEY_MAX_FILE_BYTES, and --file-bytes if it differs)',
    async run({ parley, run }) {
      const name = `${run.name}-large.png`
      const contents = largePicture(run.options.fileBytes)
      const file = await parley.temporaryFiles.create({ name, contents }, { timeoutMilliseconds: 120_000 })
      expectEqual(file.sizeBytes, run.options.fileBytes, 'the size')
      await parley.temporaryFiles.delete(file.id)
    },
  },
  {
    title: 'the service itself rejects a body that is too large, with the reason',
    needs: ['agent:write'],
    look: 'client_max_body_size, request_body: at least 2 MiB for JSON bodies',
    async run(visit) {
      const body = { name: `${visit.run.name} large`, systemMessage: 'x'.repeat(1024 ** 2) }
      expectProblem(await visit.send('/api/v1/Agent', { method: 'POST', body }), 413, 'TooLarge')
    },
  },
  {
    title: "the caller's own address is recorded and cannot be forged",
    needs: ['audit:read', 'task:write'],
    look: 'PARLEY_TRUST_PROXY: the number of proxies before the service; X-Forwarded-For, which each of them appends to',
    async run(visit) {
      const headers = { 'x-forwarded-for': foreignAddress }
      const body = { title: `${visit.run.name} from an address` }
      const answer = await visit.send('/api/v1/Task', { method: 'POST', headers, body })
      expectEqual(answer.status, 201, 'the status of a creation')
      const task: { readonly id: string } = JSON.parse(answer.text)
      const { ipAddress } = await findRecord(visit, task.id)
      expectThat(ipAddress !== null, 'an address in the audit record', ipAddress)
      expectThat(
        ipAddress !== foreignAddress,
        "another address than the one in the caller's X-Forwarded-For",
        ipAddress,
      )
      if (await isPublic(visit))
        expectThat(
          isPublicAddress(ipAddress),
          'a public address, because this deployment has one: not that of the proxy',
          ipAddress,
        )
    },
  },
  {
    title: '/metrics is not public',
    look: 'the proxy should answer it with 404 (deploy/), because it needs no key',
    async run(visit) {
      const { status, text } = await visit.send('/metrics', {
        headers: { 'x-api-key': null, 'x-org-id': null },
      })
      const isOpen = status === 200 && text.includes('# TYPE')
      // Prometheus may connect from the machine itself and from its network.
      expectThat(!isOpen || !(await isPublic(visit)), 'no public metrics', `HTTP ${status}`)
    },
  },
]

/** Returns whether the deployment has a public address. */
async function isPublic({ run }: Visit): Promise<boolean> {
  const { hostname } = new URL(run.options.url)
  const { address } = await lookup(hostname.replace(/^\[|\]$/g, ''))
  return isPublicAddress(address)
}
