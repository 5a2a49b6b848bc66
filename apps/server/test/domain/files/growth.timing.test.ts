import { describe, test } from 'vitest'
import { passageBlocks } from '#server/domain/files/passages.js'
import { expectLinear } from '../../support/growth.js'

const file = { id: 'file', name: 'notes.txt' }

/** Stored passages of 1200 characters each, in order. */
const passagesOf = (text: string) =>
  (text.match(/.{1,1200}/gs) ?? []).map((content, position) => ({
    fileId: file.id,
    label: null,
    position,
    content,
  }))

describe('showing a file to a model [BND-4]', () => {
  test.each([
    ['white space like the beginning of a block', (size: number) => `a<${' '.repeat(size)}b`],
    ['white space after a slash', (size: number) => `a</${'\n'.repeat(size)}b`],
    ['beginnings of blocks', (size: number) => '< / passage'.repeat(size / 11)],
    ['brackets', (size: number) => '<'.repeat(size)],
    ['no blocks', (size: number) => 'x'.repeat(size)],
  ])('takes time in proportion to its length: %s', async (_, textOf) => {
    await expectLinear(
      (factor) => passagesOf(textOf(8000 * factor)),
      (passages) => passageBlocks([file], passages),
    )
  })
})
