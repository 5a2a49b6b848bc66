import type { Usage, UsageItem, UsageTokens } from '@parley/sdk'
import { formatDay } from './usage-periods'

/** Groupings, with their API names and labels. */
export const usageGroups = [
  { value: 'day', label: 'By day' },
  { value: 'agent', label: 'By agent' },
  { value: 'key', label: 'By API key' },
  { value: 'model', label: 'By model' },
  { value: 'connection', label: 'By connection' },
  { value: 'channel', label: 'By channel' },
  { value: 'endUser', label: 'By end user' },
] as const

export type UsageGroup = (typeof usageGroups)[number]['value']

export const groupTitles: Readonly<Record<UsageGroup, string>> = {
  day: 'Day',
  agent: 'Agent',
  key: 'API key',
  model: 'Model',
  connection: 'Connection',
  channel: 'Channel',
  endUser: 'End user',
}

/** One row: a group's name and usage. */
export interface UsageRow extends UsageItem {
  readonly id: string
  readonly name: string
}

/** The id of the row of usage without an end user. */
export const anonymous = 'anonymous'

/** Days newest first, other groups by usage. */
export function rowsByUse({ items, names }: Usage, by: UsageGroup): readonly UsageRow[] {
  const rows = items.map((item) => ({ ...item, ...nameOf(item.group, names) }))
  if (by === 'day') return rows.toSorted((one, other) => other.id.localeCompare(one.id))
  return rows.toSorted(
    (one, other) =>
      (other.cost.amount ?? 0) - (one.cost.amount ?? 0) || tokensOf(other.tokens) - tokensOf(one.tokens),
  )
}

const channelNames = { text: 'Text', realtime: 'Voice', telephone: 'Telephone' } as const

function nameOf(
  { day, agentId, apiKeyId, model, connectionId, channel, endUserId }: UsageItem['group'],
  names: Usage['names'],
): Pick<UsageRow, 'id' | 'name'> {
  if (day !== undefined) return { id: day, name: formatDay(day) }
  if (channel !== undefined) return { id: channel, name: channelNames[channel] }
  if (model !== undefined) return { id: model, name: model }
  if (endUserId === null) return { id: anonymous, name: 'Anonymous' }
  if (endUserId !== undefined) return { id: endUserId, name: endUserId }
  if (apiKeyId === null) return { id: 'person', name: 'Console users' }
  const id = agentId ?? apiKeyId ?? connectionId ?? ''
  return { id, name: names[id] ?? `deleted (${id.slice(0, 8)})` }
}

/** Cached tokens are part of the input. */
export const tokensRead = ({ textInput, audioInput, imageInput }: UsageTokens) =>
  textInput + audioInput + imageInput

export const tokensSaid = ({ textOutput, audioOutput }: UsageTokens) => textOutput + audioOutput

export const tokensOf = (tokens: UsageTokens) => tokensRead(tokens) + tokensSaid(tokens)
