import { groupTitles, type UsageGroup, type UsageRow } from './usage-groups'

/** The table with every figure that the service told, for a spreadsheet. What has no price is left empty, and is not 0. */
export function usageCsv(rows: readonly UsageRow[], by: UsageGroup): string {
  const lines = rows.map((row) => {
    const { sessions, turns, responses, seconds, audioSeconds, toolCalls, tokens, cost } = row
    const figures = { sessions, turns, responses, seconds, audioSeconds, toolCalls, ...tokens }
    const { amount, ...others } = cost
    return { [groupTitles[by]]: row.name, id: row.id, ...figures, cost: amount ?? '', ...others }
  })
  const heads = Object.keys(lines[0] ?? {})
  return [heads, ...lines.map((line) => Object.values(line))]
    .map((cells) => cells.map(cellOf).join(','))
    .join('\r\n')
}

/** A name that begins like a formula would be run as one by a spreadsheet. */
function cellOf(value: string | number): string {
  const text = String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
