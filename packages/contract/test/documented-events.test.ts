import { readFileSync } from 'node:fs'
import { ToolStatus, turnEvents } from '@parley/contract'
import { describe, expect, test } from 'vitest'

const lines = readFileSync(new URL('../../../docs/reference/realtime.md', import.meta.url), 'utf8').split(
  '\n',
)

/** Returns the only table row of a field. */
function rowOf(field: string): string {
  const [row, ...others] = lines.filter((line) => line.startsWith(`| \`${field}\` |`))
  expect(others).toEqual([])
  return row ?? ''
}

/** Returns the events that a row names. `.done` abbreviates the previous event with another ending. */
function eventsIn(row: string): string[] {
  const [, listed = ''] = row.split(/\bIn (?=\x60)/)
  let before = ''
  return [...listed.matchAll(/\x60([a-z_.]+)\x60/g)].map(([, name = '']) => {
    before = name.startsWith('.') ? before.replace(/\.\w+$/, name) : name
    return before
  })
}

const eventsWith = (field: string) =>
  Object.entries(turnEvents)
    .filter(([, event]) => field in event.shape.data.shape)
    .map(([name]) => name)

describe('docs/reference/realtime.md [DOC-9]', () => {
  test('lists the events with chatbotId', () => {
    expect(eventsIn(rowOf('chatbotId')).sort()).toEqual(eventsWith('chatbotId').sort())
  })

  test('explains each status and lists the events with one', () => {
    const meanings = [...rowOf('status').matchAll(/\x60(\d)\x60 ([a-z ]+)/g)].map(([, status, words]) => [
      status,
      words,
    ])
    const named = Object.entries(ToolStatus).map(([name, status]) => [
      String(status),
      name.replaceAll(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase(),
    ])
    expect(meanings.map(([status, words]) => [status, words?.trim()])).toEqual(named)
    expect(eventsIn(rowOf('status'))).toEqual(eventsWith('status'))
  })
})
