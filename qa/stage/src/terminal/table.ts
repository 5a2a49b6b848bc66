/** Formats rows as a table. The first column is aligned to the left, the others to the right. */
export function describeTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join('  ')
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  const [head = [], ...body] = rows
  return [line(head), rule, ...body.map(line)].map((text) => `  ${text}`.trimEnd()).join('\n')
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}
