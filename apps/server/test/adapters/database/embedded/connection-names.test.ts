import { describe, expect, test } from 'vitest'
import { ConnectionNames } from '#server/adapters/database/embedded/connection-names.js'
import { makeMessage, makeStrings } from '#server/adapters/database/embedded/wire-messages.js'
import {
  bind,
  closeStatement,
  describePortal,
  describeStatement,
  execute,
  parse,
  query,
  sync,
} from '../../../support/embedded-database/raw-client.js'

describe('names of statements and portals', () => {
  test('are replaced in every message that carries one, and nothing else is', () => {
    const names = new ConnectionNames(7)
    expect(names.rename(parse('find', 'select 1'))).toEqual(parse('c7_1', 'select 1'))
    expect(names.rename(parse('häuser', 'select 2'))).toEqual(parse('c7_2', 'select 2'))
    expect(names.rename(bind('page', 'find'))).toEqual(bind('c7_page', 'c7_1'))
    expect(names.rename(bind('', 'häuser'))).toEqual(bind('', 'c7_2'))
    expect(names.rename(describeStatement('find'))).toEqual(describeStatement('c7_1'))
    expect(names.rename(describePortal('page'))).toEqual(describePortal('c7_page'))
    expect(names.rename(execute('page', 5))).toEqual(execute('c7_page', 5))
    expect(names.rename(makeMessage('C', makeStrings('Ppage')))).toEqual(
      makeMessage('C', makeStrings('Pc7_page')),
    )
    expect(names.rename(closeStatement('find'))).toEqual(closeStatement('c7_1'))
  })

  test('stay empty when they are empty', () => {
    const names = new ConnectionNames(1)
    for (const message of [
      parse('', 'select 1'),
      bind('', ''),
      execute(''),
      describePortal(''),
      query('x'),
      sync,
    ])
      expect(names.rename(message)).toBe(message)
    expect(names.closeStatements()).toEqual([])
  })

  test('differ between connections, and when they differ only at their end', () => {
    const long = 'n'.repeat(62)
    const [one, other] = [new ConnectionNames(1), new ConnectionNames(2)]
    const renamed = [
      one.rename(describeStatement(`${long}1`)),
      one.rename(describeStatement(`${long}2`)),
      other.rename(describeStatement(`${long}1`)),
    ].map(String)
    expect(new Set(renamed).size).toBe(3)
  })

  test('are closed for the statements that the connection has not closed itself', () => {
    const names = new ConnectionNames(3)
    for (const name of ['a', 'b', 'c']) names.rename(parse(name, 'select 1'))
    names.rename(closeStatement('b'))
    expect(names.closeStatements()).toEqual([closeStatement('c3_1'), closeStatement('c3_3')])
    expect(names.rename(parse('b', 'select 2'))).toEqual(parse('c3_4', 'select 2'))
  })

  test('must end', () => {
    expect(() => new ConnectionNames(1).rename(makeMessage('P', Buffer.from('endless')))).toThrow(
      'does not end',
    )
  })
})
