import type { AuditLogRecord } from '@parley/sdk'
import { Unmet } from './expectations.js'
import type { Visit } from './visit.js'

/** Returns the newest audit record of a task that was just created. */
export async function findRecord({ parley }: Visit, taskId: string): Promise<AuditLogRecord> {
  const { items } = await parley.auditLog.list({ ResourceType: 'Task', Limit: 200 })
  const record = items.find(({ resourceId }) => resourceId === taskId)
  if (record === undefined) throw new Unmet(`an audit record of task ${taskId}`, 'none among the newest 200')
  return record
}
