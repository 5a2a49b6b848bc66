import { expect, test } from 'vitest'
import { BoundedMap } from '#server/concurrency/bounded-map.js'

test('forgets the oldest entry beyond the maximum', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('c', 3)
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3],
  ])
})

test('an entry that is set again becomes the newest', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})

test('an entry that was deleted makes room', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2)
  map.delete('a')
  map.set('c', 3)
  expect([...map.keys()]).toEqual(['b', 'c'])
})
