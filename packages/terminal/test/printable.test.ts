import { Output, printable, table } from '@parley/terminal'
import { expect, test } from 'vitest'

function capture(isJson: boolean, isTTY = true) {
  const printed = { out: '', err: '' }
  const output = new Output(
    {
      isTTY,
      out: (text) => {
        printed.out += text
      },
      err: (text) => {
        printed.err += text
      },
    },
    isJson,
  )
  return { output, printed }
}

test.each([
  ['a line break', 'a\nb', 'a\\nb'],
  ['an escape sequence', '\u001b[31mred', '\\u001b[31mred'],
  ['a change of direction', 'a\u202eb', 'a\\u202eb'],
  ['a character beyond the basic plane', 'a\u{e0001}b', 'a\\u{e0001}b'],
])('escapes %s', (_, text, expected) => {
  expect(printable(text)).toBe(expected)
})

test('escapes escape sequences in the lines of a command', () => {
  const { output, printed } = capture(false)
  output.result(null, () => [`${output.style('red', 'no')} \u001b[32m`])
  expect(printed.out).toContain('no')
  expect(printed.out).toContain(' \\u001b[32m\n')
})

test('prints one JSON value for programs', () => {
  const { output, printed } = capture(true)
  output.result({ name: 'a\nb' }, () => [])
  output.failure('NotFound', 'Agent not found.')
  expect(JSON.parse(printed.out)).toEqual({ name: 'a\nb' })
  expect(JSON.parse(printed.err)).toEqual({ error: { code: 'NotFound', detail: 'Agent not found.' } })
})

test('makes each column of a table as wide as its widest cell', () => {
  expect(table(['name', 'keys'], [['a longer name', '1']])).toEqual([
    'name           keys',
    'a longer name  1',
  ])
})
