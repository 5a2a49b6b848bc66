import { groupTitles, type UsageGroup, type UsageRow } from './usage-groups'

/** The table as CSV, with all figures. Cells without a price are empty, not 0. */
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

/** A name must not become a formula, also in a spreadsheet that separates cells by `;` or tab. */
function cellOf(value: string | number): string {
  const safe =
    typeof value === 'string'
      ? value.replaceAll(/(^|[;\t\r\n])(?=(?:[^\S\t\r\n]|")*[=+\-@＝＋－＠])/g, "$1'")
      : String(value)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
