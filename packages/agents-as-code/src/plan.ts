import type { Output } from '@parley/terminal'
import { z } from 'zod'
import type { FieldChange } from './field-changes.js'
import { kindNames } from './kept-kinds.js'

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
  /** Of what is there; null for what is new. */
  id: z.string().nullable(),
  /** The version that was looked at: the change is made to no other. */
  etag: z.string().nullable(),
  /** Where the entry stands; null for what is deleted. */
  file: z.string().nullable(),
  line: z.number().nullable(),
  fields: z.array(PlannedField),
  /** What a person should know before it happens. */
  notes: z.array(z.string()),
})

/** What would be done. It holds no secret: not what is stored, and not what the environment has. */
export const Plan = z.strictObject({
  format: z.literal('parley-plan-1'),
  url: z.string(),
  organizationId: z.string(),
  set: z.string(),
  changes: z.array(PlannedChange),
  unchanged: z.number(),
  /** What has the mark of the set and is in the files no more, where it is not to be deleted. */
  left: z.array(z.strictObject({ kind: z.enum(kindNames), externalId: z.string() })),
})

export type Plan = Readonly<z.output<typeof Plan>>
export type PlannedChange = Readonly<z.output<typeof PlannedChange>>

type Style = Output['style']

const signs = { create: ['green', '+'], update: ['yellow', '~'], delete: ['red', '-'] } as const
const maxLines = 12
const maxCharacters = 160

/** A plan for people to read. */
export function describePlan({ changes, unchanged, left, set }: Plan, style: Style): string[] {
  const lines = changes.flatMap((change) => [...describeChange(change, style), ''])
  if (left.length > 0) {
    const names = left.map(({ kind, externalId }) => `${kind} ${externalId}`).join(', ')
    lines.push(`Of the set ${set}, but in the files no more: ${names}. --prune deletes them.`, '')
  }
  lines.push(summaryOf(changes, unchanged))
  return lines
}

/** `1 to create, 2 to change, 4 as they are.` */
function summaryOf(changes: readonly PlannedChange[], unchanged: number): string {
  const count = (action: PlannedChange['action']) =>
    changes.filter((change) => change.action === action).length
  if (changes.length === 0)
    return `Nothing to do: ${unchanged} ${unchanged === 1 ? 'is' : 'are'} as the files say.`
  const parts = [
    [count('create'), 'to create'],
    [count('update'), 'to change'],
    [count('delete'), 'to delete'],
    [unchanged, 'as they are'],
  ] as const
  return `${parts
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${words}`)
    .join(', ')}.`
}

function describeChange(change: PlannedChange, style: Style): string[] {
  const { action, kind, externalId, name, file, line, fields, notes } = change
  const [colour, sign] = signs[action]
  const place = file === null ? '' : style('dim', `  ${file}:${line}`)
  const title = name === externalId ? '' : ` (${name})`
  return [
    `${style(colour, `${sign} ${kind} ${externalId}`)}${title}${place}`,
    ...fields.flatMap((field) => describeField(field, style)),
    ...notes.map((note) => `    ${style('yellow', '!')} ${note}`),
  ]
}

function describeField({ path, before, after }: FieldChange, style: Style): string[] {
  const isText = (value: unknown): value is string => typeof value === 'string' && value.includes('\n')
  if (isText(before) || isText(after))
    return [`    ${path}:`, ...differentLines(asText(before), asText(after), style)]
  if (before === undefined) return [`    ${path}: ${short(after)}`]
  if (after === undefined) return [`    ${path}: ${style('red', short(before))} → (nothing)`]
  return [`    ${path}: ${style('red', short(before))} → ${style('green', short(after))}`]
}

const asText = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined ? '' : short(value)

/** The lines between what both begin with and what both end with. */
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
  const block = (lines: readonly string[], sign: string, colour: 'red' | 'green') => {
    const shown = lines.slice(0, maxLines).map((line) => style(colour, `      ${sign} ${cut(line)}`))
    return lines.length > maxLines ? [...shown, `      … ${lines.length - maxLines} more lines`] : shown
  }
  return [...block(before === '' ? [] : old, '-', 'red'), ...block(now, '+', 'green')]
}

function short(value: unknown): string {
  return cut(typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : JSON.stringify(value))
}

function cut(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
}
