import type { Check } from '../check.js'
import { expectEqual, expectThat } from '../expectations.js'
import { findRecord } from '../find-record.js'
import { eventually } from '../waiting.js'

const needs = ['audit:read', 'task:write'] as const
/** The clock difference between the two machines is unknown. */
const clockMinutes = 10

export const auditChecks: readonly Check[] = [
  {
    title: 'a change is recorded with its author and the id of its request',
    needs,
    look: 'the log of the request',
    async run(visit) {
      const { requestId, record } = await recordOfTask(visit)
      expectEqual(
        [record.action, record.outcome, record.requestId, record.actor.type],
        ['task.create', 'success', requestId, 'api_key'],
        'action, outcome, request and actor',
      )
    },
  },
  {
    title: 'sealed records can be exported',
    needs,
    look: 'whether the proxy cuts long responses, and whether instances seal (the log names the reason if not)',
    async run(visit) {
      const { parley, signal } = visit
      const { record } = await recordOfTask(visit)
      const From = new Date(Date.parse(record.at) - 1).toISOString()
      const To = new Date(Date.parse(record.at) + clockMinutes * 60_000).toISOString()
      const query = { From, To, ResourceType: 'Task' } as const
      const isSealed = (line: string) => line.includes(record.id) && !line.includes('"hash":null')
      await eventually(
        async () => (await (await parley.auditLog.export({ ...query, Format: 'ndjson' })).text()).split('\n'),
        (lines) => lines.some(isSealed),
        { expected: `record ${record.id} with its hash in the export`, withinSeconds: 10, signal },
      )
      const csv = await (await parley.auditLog.export({ ...query, Format: 'csv' })).text()
      expectThat(csv.includes(record.id), `record ${record.id} in the export as CSV`, csv)
    },
  },
  {
    title: 'the chain of records is complete',
    needs: ['audit:read'],
    timeoutSeconds: 180,
    look: 'docs/reference/audit.md explains what a broken chain means. Verifying millions of records takes minutes',
    async run({ parley }) {
      const verification = await parley.auditLog.verify({}, { timeoutMilliseconds: 180_000 })
      expectThat(verification.valid, 'a valid chain', verification)
    },
  },
]

async function recordOfTask(visit: Parameters<Check['run']>[0]) {
  const task = await visit.parley.tasks.create({ title: `${visit.run.name} recorded` })
  const requestId = visit.requestIds.at(-1) ?? ''
  return { requestId, record: await findRecord(visit, task.id) }
}
