import type { Output } from '@parley/terminal'
import { z } from 'zod'
import type { FieldChange } from './field-changes.js'
import { kindNames } from './managed-kinds.js'
import { describeWords } from './word-diff.js'

const PlannedField = z.strictObject({
  path: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
})

const PlannedChange = z.strictObject({
  action: z.enum(['create', 'update', 'delete']),
  kind: z.enum(kindNames),
  externalId: z.string(),
  name: z.string(),
  /** The id of the existing resource, or null for a new one. */
  id: z.string().nullable(),
  /** The planned version. The change is applied to no other version. */
  etag: z.string().nullable(),
  /** The file of the entry, or null for a deletion. */
  file: z.string().nullable(),
  line: z.number().nullable(),
  fields: z.array(PlannedField),
  /** Warnings for the user before the change is applied. */
  notes: z.array(z.string()),
})

/** The planned changes. Contains no secrets, neither stored ones nor values of the environment. */
export const Plan = z.strictObject({
  format: z.literal('parley-plan-1'),
  url: z.string(),
  organizationId: z.string(),
  set: z.string(),
  changes: z.array(PlannedChange),
  unchanged: z.number(),
  /** Resources of the set that are no longer in the files and are kept because `--prune` is not set. */
  left: z.array(z.strictObject({ kind: z.enum(kindNames), externalId: z.string() })),
})

export type Plan = Readonly<z.output<typeof Plan>>
export type PlannedChange = Readonly<z.output<typeof PlannedChange>>

type Style = Output['style']

const signs = { create: ['green', '+'], update: ['yellow', '~'], delete: ['red', '-'] } as const
const maxLines = 12
const maxCharacters = 160
/** The words of longer texts are compared one by one. */
const longText = 60

/** Returns a plan as lines of text for people. */
export function describePlan({ changes, unchanged, left, set }: Plan, style: Style): string[] {
  const lines = changes.flatMap((change) => [...describeChange(change, style), ''])
  if (left.length > 0) {
    const names = left.map(({ kind, externalId }) => `${kind} ${externalId}`).join(', ')
    lines.push(`In the set ${set}, but no longer in the files: ${names}. --prune deletes them.`, '')
  }
  lines.push(summaryOf(changes, unchanged))
  return lines
}

/** Returns, for example, `1 to create, 2 to change, 4 unchanged.` */
function summaryOf(changes: readonly PlannedChange[], unchanged: number): string {
  const count = (action: PlannedChange['action']) =>
    changes.filter((change) => change.action === action).length
  if (changes.length === 0)
    return `No changes: ${unchanged} ${unchanged === 1 ? 'resource matches' : 'resources match'} the files.`
  const parts = [
    [count('create'), 'to create'],
    [count('update'), 'to change'],
    [count('delete'), 'to delete'],
    [unchanged, 'unchanged'],
  ] as const
  return `${parts
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${words}`)
    .join(', ')}.`
}

function describeChange(change: PlannedChange, style: Style): string[] {
  const { action, kind, externalId, name, file, line, fields, notes } = change
  const [color, sign] = signs[action]
  const place = file === null ? '' : style('dim', `  ${file}:${line}`)
  const title = name === externalId ? '' : ` (${name})`
  return [
    `${style(color, `${sign} ${kind} ${externalId}`)}${title}${place}`,
    ...fields.flatMap((field) => describeField(field, style)),
    ...notes.map((note) => `    ${style('yellow', '!')} ${note}`),
  ]
}

function describeField({ path, before, after }: FieldChange, style: Style): string[] {
  const isText = (value: unknown): value is string => typeof value === 'string' && value.includes('\n')
  if (
    typeof before === 'string' &&
    typeof after === 'string' &&
    before.length + after.length > 2 * longText
  ) {
    const words = describeWords(before, after, style)
    if (words !== null) return [`    ${path}:`, ...words]
  }
  if (isText(before) || isText(after))
    return [`    ${path}:`, ...differentLines(asText(before), asText(after), style)]
  if (before === undefined) return [`    ${path}: ${short(after)}`]
  if (after === undefined) return [`    ${path}: ${style('red', short(before))} → (nothing)`]
  return [`    ${path}: ${style('red', short(before))} → ${style('green', short(after))}`]
}

const asText = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined ? '' : short(value)

/** Returns the lines that differ, without the lines at the start and the end that both texts share. */
function differentLines(before: string, after: string, style: Style): string[] {
  const [had, has] = [before, after].map((text) => text.split('\n'))
  const old = [...(had ?? [])]
  const now = [...(has ?? [])]
  while (old.length > 0 && now.length > 0 && old[0] === now[0]) {
    old.shift()
    now.shift()
  }
  while (old.length > 0 && now.length > 0 && old.at(-1) === now.at(-1)) {
    old.pop()
    now.pop()
  }
  const block = (lines: readonly string[], sign: string, color: 'red' | 'green') => {
    const shown = lines.slice(0, maxLines).map((line) => style(color, `      ${sign} ${cut(line)}`))
    return lines.length > maxLines ? [...shown, `      … ${lines.length - maxLines} more lines`] : shown
  }
  return [...block(before === '' ? [] : old, '-', 'red'), ...block(now, '+', 'green')]
}

/** The output escapes control characters, so texts keep their quotes. */
function short(value: unknown): string {
  if (value === '') return '(empty)'
  return cut(typeof value === 'string' ? value : JSON.stringify(value))
}

function cut(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
}
