import { mkdir, open, readFile, rename, truncate, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Output, UsageError } from '@parley/terminal'
import { z } from 'zod'
import { DomainError } from '../domain/domain-error.js'
import type { OperatorAccess } from '../domain/operator/operator-act.js'
import {
  beginDeletion,
  beginExport,
  continueDeletion,
  listOrganizations,
  readExportPage,
} from '../domain/operator/organizations.js'

const stateFile = 'export.json'
const waitMilliseconds = 500
/** How long the command waits for sessions and turns to end. After that it exits, and can be run again. */
const endingMilliseconds = 120_000

/** The progress of the export of one table. */
const TableState = z.object({
  rows: z.int(),
  bytes: z.int(),
  after: z.array(z.string()).nullable(),
  isOver: z.boolean(),
})

const ExportState = z.object({
  organizationId: z.string(),
  tables: z.record(z.string(), TableState),
})

type ExportState = z.output<typeof ExportState>

const untouched: z.output<typeof TableState> = { rows: 0, bytes: 0, after: null, isOver: false }

/**
 * Writes all data of an organization into a folder, as one file of JSON lines for each table. Resumes an interrupted
 * export into the same folder.
 */
export async function exportOrganization(
  access: OperatorAccess,
  output: Output,
  { id, folder }: { readonly id: string; readonly folder: string },
): Promise<void> {
  const path = resolve(folder)
  const { name, tables } = await access.run(beginExport, { organizationId: id })
  await mkdir(path, { recursive: true, mode: 0o700 })
  const state = await readState(path, id)
  for (const table of tables) await exportTable(access, { path, state, table })
  const rows = Object.fromEntries(
    Object.entries(state.tables).map(([table, { rows: count }]) => [table, count]),
  )
  output.result({ organizationId: id, folder: path, rows }, () => [
    `Exported ${name} to ${path}, without secrets:`,
    '',
    ...Object.entries(rows)
      .filter(([, count]) => count > 0)
      .map(([table, count]) => `  ${table}.ndjson  ${count}`),
  ])
}

async function exportTable(
  access: OperatorAccess,
  { path, state, table }: { readonly path: string; readonly state: ExportState; readonly table: string },
): Promise<void> {
  let known = state.tables[table] ?? untouched
  if (known.isOver) return
  const file = await open(join(path, `${table}.ndjson`), 'a', 0o600)
  try {
    // Truncates the file to the last saved state, because rows after it are written again.
    await truncate(join(path, `${table}.ndjson`), known.bytes)
    while (!known.isOver) {
      const { organizationId } = state
      const page = await access.run(readExportPage, { organizationId, table, after: known.after })
      const text = page.rows.map((row) => `${JSON.stringify(row)}\n`).join('')
      await file.writeFile(text)
      known = {
        rows: known.rows + page.rows.length,
        bytes: known.bytes + Buffer.byteLength(text),
        after: page.after,
        isOver: page.after === null,
      }
      state.tables[table] = known
      await file.sync()
      await keepState(path, state)
    }
  } finally {
    await file.close()
  }
}

/** Returns the state of an earlier export. Throws if the folder contains the export of another organization. */
async function readState(path: string, organizationId: string): Promise<ExportState> {
  const text = await readFile(join(path, stateFile), 'utf8').catch(() => null)
  if (text === null) return { organizationId, tables: {} }
  const state = ExportState.parse(JSON.parse(text))
  if (state.organizationId !== organizationId)
    throw new DomainError(
      'Conflict',
      `${path} contains the export of another organization. Choose another folder.`,
    )
  return state
}

async function keepState(path: string, state: ExportState): Promise<void> {
  const next = join(path, `${stateFile}.new`)
  await writeFile(next, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  await rename(next, join(path, stateFile))
}

/** Deletes an organization and all its data. Resumes an interrupted deletion. */
export async function deleteOrganization(
  access: OperatorAccess,
  output: Output,
  { id, yes = false, isTTY }: { readonly id: string; readonly yes?: boolean; readonly isTTY: boolean },
): Promise<void> {
  const found = (await access.run(listOrganizations, {})).find(({ organizationId }) => organizationId === id)
  if (found === undefined)
    throw new DomainError(
      'NotFound',
      `Organization ${id} not found. Run parley org list to see all organizations.`,
    )
  const name = yes ? found.name : await askName(output, { name: found.name, isTTY })
  await access.run(beginDeletion, { organizationId: id, name })
  const removed: Record<string, number> = {}
  let waitUntil = performance.now() + endingMilliseconds
  for (;;) {
    const step = await access.run(continueDeletion, { organizationId: id })
    if (step.isOver) break
    if (step.removed !== null) {
      removed[step.removed.table] = (removed[step.removed.table] ?? 0) + step.removed.count
      waitUntil = performance.now() + endingMilliseconds
      continue
    }
    if (performance.now() > waitUntil)
      throw new DomainError(
        'Conflict',
        `${step.running} sessions and turns have not ended yet. New ones are rejected. Run the command again later.`,
      )
    await sleep(waitMilliseconds)
  }
  output.result({ organizationId: id, removed }, () => [
    `Deleted organization ${found.name}, with ${sum(removed)} rows in ${Object.keys(removed).length} tables.`,
    'Backups, logs and traces may still contain its data. See docs/reference/data-protection.md.',
  ])
}

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((one, other) => one + other, 0)

async function askName(
  output: Output,
  { name, isTTY }: { readonly name: string; readonly isTTY: boolean },
): Promise<string> {
  if (!isTTY || !process.stdin.isTTY)
    throw new UsageError('Confirm the deletion with --yes if there is no terminal.')
  output.note(`This permanently deletes the organization and all its data. Its name is: ${name}`)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await lines.question('Type the name to confirm: ')
  } finally {
    lines.close()
  }
}
