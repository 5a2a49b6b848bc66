/**
 * Reads comma-separated values exactly by RFC 4180: required quotes, and the same number of cells in every
 * row.
 */
export function parseCsv(text: string): Record<string, string>[] {
  const [header = [], ...rows] = readRows(text)
  return rows.map((row) => {
    if (row.length !== header.length) throw new Error(`${row.length} cells instead of ${header.length}`)
    return Object.fromEntries(header.map((name, index) => [name, row[index] ?? '']))
  })
}

function readRows(text: string): string[][] {
  const rows: string[][] = []
  // A cell, quoted or plain, and its delimiter. Sticky: any text between two cells is an error.
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
  let row: string[] = []
  while (cell.lastIndex < text.length) {
    const start = cell.lastIndex
    const match = cell.exec(text)
    if (!match) throw new Error(`invalid cell at character ${start}`)
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
