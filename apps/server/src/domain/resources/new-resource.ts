import type { Clock } from '../../ports/clock.js'
import type { ResourceRecord } from '../../ports/resource-store.js'
import { newId } from '../new-id.js'

/** The fields that every new resource begins with. */
export function newResource(clock: Clock, organizationId: string): ResourceRecord {
  const now = clock.now().toISOString()
  return { id: newId(), organizationId, version: 1, createdAt: now, updatedAt: now }
}
