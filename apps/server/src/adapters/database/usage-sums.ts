import { getTableColumns } from 'drizzle-orm'
import type { UsageSums } from '../../ports/usage-ledger.js'
import { usageRollup } from './ledger-schema.js'

/** Stands for nobody's key, where a row must have one to be found again. */
export const noKey = '00000000-0000-0000-0000-000000000000'

const groups = ['organizationId', 'day', 'agentId', 'apiKeyId', 'connectionId', 'model', 'channel']

/** The names of the columns that are added up, by those of their fields. */
export const sumColumns = Object.fromEntries(
  Object.entries(getTableColumns(usageRollup))
    .filter(([field]) => !groups.includes(field))
    .map(([field, column]) => [field, column.name]),
) as Readonly<Record<keyof UsageSums, string>>

/** Sums as they come out of the database: a sum of many is larger than its parts. */
export type StoredSums = Record<string, string>

export function sumsOf(row: StoredSums | undefined): UsageSums {
  const { cost, ...counted } = sumColumns
  const counts = Object.entries(counted).map(([field, name]) => [field, Number(row?.[name] ?? 0)])
  return { ...Object.fromEntries(counts), cost: row?.[cost] ?? '0' } as UsageSums
}
